//! The carried files.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::frame::PAGES;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file with what browsers need to know of it.
#[derive(Debug)]
struct Asset {
    content_type: &'static str,
    body: &'static str,
    tag: String,
}

macro_rules! assets {
    ($($name:literal $content_type:ident),* $(,)?) => {
        [$(($name, $content_type, include_str!(concat!("assets/", $name)))),*]
    };
}

static ASSETS: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    assets![
        "board.js" SCRIPT,
        "chart.js" SCRIPT,
        "dom.js" SCRIPT,
        "editor.js" SCRIPT,
        "icon.svg" SVG,
        "job.js" SCRIPT,
        "live.js" SCRIPT,
        "overview.js" SCRIPT,
        "player.js" SCRIPT,
        "record.js" SCRIPT,
        "records.js" SCRIPT,
        "style.css" CSS,
    ]
    .into_iter()
    // They live as long as the process.
    .chain(
        PAGES
            .iter()
            .map(|page| (page.name, HTML, &*page.whole().leak())),
    )
    .map(|(name, content_type, body)| {
        let hash: [u8; 32] = Sha256::digest(body.as_bytes()).into();
        let hash = hash[..8]
            .iter()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let asset = Asset {
            content_type,
            body,
            tag: format!("\"{hash:016x}\""),
        };
        (name, asset)
    })
    .collect()
});

/// A file. Browsers keep it and ask whether it has changed.
pub(super) fn file(name: &str, request: &HeaderMap, status: StatusCode) -> Response {
    let Some(asset) = ASSETS.get(name) else {
        return file("missing.html", request, StatusCode::NOT_FOUND);
    };
    let known = request.get(header::IF_NONE_MATCH);
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    let mut response = if status.is_success() && known.is_some_and(|it| *it == *asset.tag) {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (status, headers, asset.body).into_response()
    };
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The policy forbids what these tests look for; here it is noticed sooner.
    #[test]
    fn no_inline_script_or_style_and_nothing_from_elsewhere() {
        for (name, asset) in &*ASSETS {
            let body = asset.body;
            let outside = body.replace("http://www.w3.org/2000/svg", "");
            for word in ["\"http", "'http", "(http", "\"//", "innerHTML", "outerHTML"] {
                assert!(!outside.contains(word), "{name} has {word}");
            }
            for word in ["insertAdjacentHTML", "document.write", "eval(", "<style"] {
                assert!(!body.contains(word), "{name} has {word}");
            }
            if asset.content_type == HTML {
                for word in [" style=", " onclick=", " onload=", "<script>", "<base"] {
                    assert!(!body.contains(word), "{name} has {word}");
                }
                for script in body.split("<script").skip(1) {
                    assert!(script.contains("src=\"/assets/"), "{name}: {script}");
                }
                for needed in ["<html lang=\"en\">", "<title>", "viewport", "<main", "<h1"] {
                    assert!(body.contains(needed), "{name} lacks {needed}");
                }
            }
        }
    }

    /// Every file that a carried file names is carried.
    #[test]
    fn links_between_files_lead_somewhere() {
        for (name, asset) in &*ASSETS {
            for part in asset.body.split("/assets/").skip(1) {
                let end = part.find(['"', '\'']).unwrap();
                assert!(
                    ASSETS.contains_key(&part[..end]),
                    "{name}: {}",
                    &part[..end]
                );
            }
            for part in asset.body.split(" from \"./").skip(1) {
                let end = part.find('"').unwrap();
                assert!(
                    ASSETS.contains_key(&part[..end]),
                    "{name}: {}",
                    &part[..end]
                );
            }
        }
    }

    #[test]
    fn a_known_file_is_not_sent_again() {
        let first = file("style.css", &HeaderMap::new(), StatusCode::OK);
        assert_eq!(first.status(), StatusCode::OK);
        let mut request = HeaderMap::new();
        request.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        let second = file("style.css", &request, StatusCode::OK);
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        let none = file("../secret", &request, StatusCode::OK);
        assert_eq!(none.status(), StatusCode::NOT_FOUND);
    }
}
