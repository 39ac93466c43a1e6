//! The pages: each has its content, and all have the same around it.

const FRAME: &str = include_str!("assets/frame.html");
const CONNECTION: &str = "  <p id=\"connection\" class=\"connection\" role=\"status\"></p>\n";

/// What a page has of its own.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) name: &'static str,
    title: &'static str,
    /// Its script, if it has one.
    script: Option<&'static str>,
    /// Whether it is kept up to date, and says when it is not.
    live: bool,
    /// Where the navigation leads to it, if it does.
    address: Option<&'static str>,
    content: &'static str,
}

/// All pages.
pub(super) const PAGES: &[Page] = &[
    Page {
        name: "editor.html",
        title: "soko: level editor",
        script: Some("editor.js"),
        live: false,
        address: Some("/editor"),
        content: include_str!("assets/editor.html"),
    },
    Page {
        name: "job.html",
        title: "soko: job",
        script: Some("job.js"),
        live: true,
        address: None,
        content: include_str!("assets/job.html"),
    },
    Page {
        name: "missing.html",
        title: "soko: not found",
        script: None,
        live: false,
        address: None,
        content: include_str!("assets/missing.html"),
    },
    Page {
        name: "overview.html",
        title: "soko",
        script: Some("overview.js"),
        live: true,
        address: Some("/"),
        content: include_str!("assets/overview.html"),
    },
    Page {
        name: "record.html",
        title: "soko: record",
        script: Some("record.js"),
        live: true,
        address: None,
        content: include_str!("assets/record.html"),
    },
    Page {
        name: "records.html",
        title: "soko: records",
        script: Some("records.js"),
        live: true,
        address: Some("/records"),
        content: include_str!("assets/records.html"),
    },
];

impl Page {
    /// The whole page.
    pub(super) fn whole(&self) -> String {
        let script = self.script.map_or_else(String::new, |name| {
            format!("<script type=\"module\" src=\"/assets/{name}\"></script>\n")
        });
        let mut page = FRAME.to_owned();
        if let Some(address) = self.address {
            let link = format!("<li><a href=\"{address}\"");
            page = page.replace(&link, &format!("{link} aria-current=\"page\""));
        }
        page.replace("{title}", self.title)
            .replace("{script}", &script)
            .replace("{connection}", if self.live { CONNECTION } else { "" })
            // Last, so that nothing in it is taken for a place.
            .replace("{content}", self.content)
    }
}
