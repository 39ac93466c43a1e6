//! `soko-coord tls`: certificates and tokens for a cluster of one's own.

use std::path::PathBuf;

use clap::{Args, Subcommand, builder::NonEmptyStringValueParser};
use serde::Serialize;

use super::{
    CliError,
    output::{Output, Show},
};
use crate::access::{Authority, AuthorityError};

/// What to do about certificates.
#[derive(Debug, Subcommand)]
pub(super) enum TlsCommand {
    /// Make a private authority: certificates for the coordinator and its
    /// clients, and a token for each role.
    Init(InitArgs),
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Directory for the files; nothing in it is overwritten.
    #[arg(long, value_name = "DIR", default_value = "tls")]
    dir: PathBuf,
    /// Name or address under which the coordinator is reached; can be given
    /// several times. `localhost` and 127.0.0.1 are always in.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    host: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Made {
    dir: String,
    hosts: Vec<String>,
}

impl Show for Made {
    fn text(&self) -> String {
        let dir = &self.dir;
        format!(
            "certificates and tokens are in {dir}, for {}\n\
             coordinator: soko-coord serve --listen 0.0.0.0:50051 --tls-cert {dir}/server.pem \
             --tls-key {dir}/server.key --tokens {dir}/tokens.txt\n\
             worker:      soko-worker --coordinator https://HOST:50051 --tls-ca {dir}/ca.pem \
             --token-file {dir}/worker.token\n\
             client:      soko-coord jobs list --coordinator https://HOST:50051 \
             --tls-ca {dir}/ca.pem --token-file {dir}/submitter.token",
            self.hosts.join(", ")
        )
    }

    fn quiet(&self) -> String {
        self.dir.clone()
    }
}

pub(super) fn run(command: TlsCommand, output: Output) -> Result<u8, CliError> {
    let TlsCommand::Init(args) = command;
    let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    hosts.extend(args.host);
    hosts.dedup();
    Authority::create(&args.dir, &hosts).map_err(|error| {
        let hint = match error {
            AuthorityError::BadNames(_) => "--host takes a name or an address, without a port",
            _ => "--dir names a directory that can be written and has no such files yet",
        };
        CliError::bad_input(error.to_string(), hint)
    })?;
    output.show(&Made {
        dir: args.dir.display().to_string(),
        hosts,
    })?;
    Ok(0)
}
