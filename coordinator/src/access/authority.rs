//! A private authority, made on the spot: certificates for a coordinator and
//! its clients, and a token for each role.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose,
};
use uuid::Uuid;

use super::Role;

/// A private authority in a directory.
#[derive(Debug, Clone)]
pub struct Authority {
    dir: PathBuf,
}

/// Why an authority cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// There is one already.
    #[error("{} exists already; name another --dir, or remove it first", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written.
    #[error("{} cannot be written: {error}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A name cannot be in a certificate.
    #[error("no certificate can be made for these names: {0}")]
    BadNames(#[from] rcgen::Error),
}

impl Authority {
    /// Makes an authority in `dir`: `ca.pem`, a certificate `server.pem` for
    /// the names and addresses of `hosts`, one `client.pem` for clients, their
    /// keys, and `tokens.txt` with a token for each role, each also in a file of
    /// its own. Files that hold secrets are readable by their owner only.
    ///
    /// # Errors
    /// [`AuthorityError`]; nothing is overwritten.
    pub fn create(dir: &Path, hosts: &[String]) -> Result<Self, AuthorityError> {
        let authority = Self {
            dir: dir.to_owned(),
        };
        fs::create_dir_all(dir).map_err(|error| AuthorityError::Unwritable {
            file: dir.to_owned(),
            error,
        })?;
        let mut params = named("soko private authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let ca = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;

        let mut server = CertificateParams::new(hosts)?;
        server.distinguished_name = named("soko coordinator").distinguished_name;
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let mut client = named("soko client");
        client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];

        authority.write("ca.pem", ca.pem().as_bytes(), false)?;
        authority.write("ca.key", ca.key().serialize_pem().as_bytes(), true)?;
        for (name, params) in [("server", server), ("client", client)] {
            let key = KeyPair::generate()?;
            let cert = params.signed_by(&key, &ca)?;
            authority.write(&format!("{name}.pem"), cert.pem().as_bytes(), false)?;
            authority.write(&format!("{name}.key"), key.serialize_pem().as_bytes(), true)?;
        }
        let mut all = Vec::new();
        for role in Role::ALL {
            let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
            all.push(format!("{} {token}\n", role.name()));
            authority.write(&format!("{}.token", role.name()), token.as_bytes(), true)?;
        }
        authority.write("tokens.txt", all.concat().as_bytes(), true)?;
        Ok(authority)
    }

    /// A file of the authority.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn write(&self, name: &str, content: &[u8], secret: bool) -> Result<(), AuthorityError> {
        use std::os::unix::fs::OpenOptionsExt;
        let file = self.file(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        options.mode(if secret { 0o600 } else { 0o644 });
        let written = options
            .open(&file)
            .and_then(|mut opened| opened.write_all(content));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => AuthorityError::Exists(file.clone()),
            _ => AuthorityError::Unwritable { file, error },
        })
    }
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
