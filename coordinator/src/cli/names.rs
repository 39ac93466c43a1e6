//! The names of the web page.

use clap::Args;

/// Names for browsers.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(super) struct NameArgs {
    /// A further name under which the web page answers, besides addresses,
    /// `localhost` and the name in --http. Can be given several times, or several
    /// with commas.
    #[arg(long, env = "SOKO_HTTP_HOST", value_name = "NAME", value_delimiter = ',',
          value_parser = name)]
    http_host: Vec<String>,
}

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
    if text.is_empty() || !text.chars().all(fits) {
        return Err("not the name of a host, without scheme and port".to_owned());
    }
    Ok(text.to_owned())
}

impl NameArgs {
    /// The names for a page at this address, which may have one itself.
    pub(super) fn all(&self, address: &str) -> Vec<String> {
        let own = address.rsplit_once(':').map(|(host, _)| host.to_owned());
        self.http_host.iter().cloned().chain(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        names: NameArgs,
    }

    #[test]
    fn names_are_those_given_and_that_of_the_listener() {
        let line = "x --http-host a.example,b --http-host c";
        let args = Program::try_parse_from(line.split(' ')).unwrap().names;
        assert_eq!(args.all("box:80"), ["a.example", "b", "c", "box"]);
        for wrong in ["", "http://a", "a:80", "*", "a b"] {
            let line = ["x", "--http-host", wrong];
            assert!(Program::try_parse_from(line).is_err(), "{wrong:?}");
        }
    }
}
