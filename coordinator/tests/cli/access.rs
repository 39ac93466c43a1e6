//! Who is let in, and what the others are told.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    time::Duration,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use serde_json::Value;

use crate::program::{Running, Said, data, program, say};

/// A directory made by `tls init`.
struct Authority(tempfile::TempDir);

impl Authority {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let said = say(&format!(
            "tls init --dir {} -o json",
            dir.path().join("tls").display()
        ));
        assert_eq!(said.code, Some(0), "{said:?}");
        Self(dir)
    }

    fn file(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("tls").join(name)
    }

    fn server(&self) -> String {
        format!(
            "--tls-cert {} --tls-key {}",
            self.file("server.pem"),
            self.file("server.key")
        )
    }
}

/// A served coordinator with these arguments.
struct Server {
    _running: Running,
    _data: tempfile::TempDir,
    url: String,
    page: String,
}

impl Server {
    fn start(arguments: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let line = format!(
            "serve --listen 127.0.0.1:0 --http 127.0.0.1:0 {} {arguments} -o json",
            data(dir.path())
        );
        let mut running = Running::start(&line);
        let said: Value = serde_json::from_str(&running.first_line()).unwrap();
        Self {
            _running: running,
            _data: dir,
            url: said["coordinator"].as_str().unwrap().to_owned(),
            page: said["http"].as_str().unwrap().to_owned(),
        }
    }

    fn say(&self, line: &str) -> Said {
        say_to(&self.url, line)
    }
}

fn say_to(url: &str, line: &str) -> Said {
    say(&format!("{line} --coordinator {url} -o json"))
}

/// Checks that a call was refused with this text, and nothing else happened.
fn refused(said: &Said, text: &str) {
    assert_eq!(said.code, Some(3), "{said:?}");
    let error: Value = serde_json::from_str(&said.err).unwrap();
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains(text), "{text:?} is not in {message:?}");
}

#[test]
fn an_authority_is_made_once_and_its_secrets_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let authority = Authority::new();
    for name in [
        "ca.key",
        "server.key",
        "client.key",
        "tokens.txt",
        "admin.token",
    ] {
        let mode = authority
            .path(name)
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    let dir = authority.0.path().join("tls");
    let before = std::fs::read(authority.path("ca.pem")).unwrap();
    say(&format!("tls init --dir {} -o json", dir.display())).failed(2, "bad_input");
    assert_eq!(std::fs::read(authority.path("ca.pem")).unwrap(), before);
    say("tls init --dir /proc/no --host x -o json").failed(2, "bad_input");
}

#[test]
fn each_role_may_do_what_it_is_for() {
    let authority = Authority::new();
    let server = Server::start(&format!("--tokens {}", authority.file("tokens.txt")));
    let token = |role: &str| format!("--token-file {}", authority.file(&format!("{role}.token")));
    let list = |role| server.say(&format!("jobs list {}", token(role)));
    let submit = |role| server.say(&format!("submit --n 3 {}", token(role)));
    for role in ["admin", "submitter", "reader"] {
        assert_eq!(list(role).code, Some(0), "{role}: {:?}", list(role));
    }
    refused(
        &list("worker"),
        "a token of role worker may not do this; it takes role reader",
    );
    for role in ["admin", "submitter"] {
        assert_eq!(submit(role).code, Some(0), "{role}");
    }
    refused(
        &submit("reader"),
        "a token of role reader may not do this; it takes role submitter",
    );
    refused(&submit("worker"), "it takes role submitter");
    refused(
        &server.say("jobs list"),
        "this coordinator asks for a token",
    );
    let wrong = authority.path("wrong.token");
    std::fs::write(&wrong, "0123456789abcdef0123").unwrap();
    let said = server.say(&format!("jobs list --token-file {}", wrong.display()));
    refused(&said, "the token is not one of this coordinator's");
    let jobs = list("admin").document();
    assert_eq!(
        jobs["jobs"].as_array().unwrap().len(),
        2,
        "the refused changed nothing"
    );
    // The health check needs no token.
    assert_eq!(server.say("health").code, Some(0));
    // The token may come by the environment.
    let value = std::fs::read_to_string(authority.path("reader.token")).unwrap();
    let mut command = program(&format!("jobs list --coordinator {} -o json", server.url));
    let said = Said::from(command.env("SOKO_TOKEN", value.trim()).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!format!("{said:?}").contains(value.trim()));
}

#[test]
fn tls_is_spoken_with_whom_it_should_be() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let server = Server::start(&authority.server());
    assert!(server.url.starts_with("https://"), "{}", server.url);
    let ca = format!("--tls-ca {}", authority.file("ca.pem"));
    assert_eq!(server.say(&format!("jobs list {ca}")).code, Some(0));

    // Another authority; a name that is not in the certificate.
    let other = format!("jobs list --tls-ca {}", stranger.file("ca.pem"));
    refused(&server.say(&other), "invalid peer certificate");
    let named = format!("jobs list {ca} --tls-domain elsewhere.example");
    refused(&server.say(&named), "certificate not valid for name");
    // Plain to a TLS port, and the reverse.
    let plain = server.url.replace("https", "http");
    assert_eq!(say_to(&plain, "jobs list").code, Some(3));
    let open = Server::start("");
    let tls = open.url.replace("http", "https");
    let said = say_to(&tls, &format!("jobs list {ca}"));
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("does it speak TLS"), "{said:?}");
    // TLS asked for without saying whom to trust, and the reverse.
    server.say("jobs list").failed(2, "usage");
    open.say(&format!("jobs list {ca}")).failed(2, "usage");
}

#[test]
fn an_expired_certificate_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let mut params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2021, 1, 1);
    let key = KeyPair::generate().unwrap();
    let cert = params.signed_by(&key, &ca).unwrap();
    let write = |name: &str, text: String| {
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let ca = write("ca.pem", ca.pem());
    let cert = write("cert.pem", cert.pem());
    let key = write("key.pem", key.serialize_pem());
    let server = Server::start(&format!("--tls-cert {cert} --tls-key {key}"));
    refused(
        &server.say(&format!("jobs list --tls-ca {ca}")),
        "certificate expired",
    );
}

#[test]
fn a_client_certificate_is_asked_for() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let client_ca = authority.file("ca.pem");
    let server = Server::start(&format!(
        "{} --tls-client-ca {client_ca}",
        authority.server()
    ));
    let ca = format!("--tls-ca {}", authority.file("ca.pem"));
    let identity = |of: &Authority| {
        format!(
            "--tls-cert {} --tls-key {}",
            of.file("client.pem"),
            of.file("client.key")
        )
    };
    let with = format!("jobs list {ca} {}", identity(&authority));
    assert_eq!(server.say(&with).code, Some(0), "{:?}", server.say(&with));
    assert_eq!(server.say(&format!("jobs list {ca}")).code, Some(3));
    let strange = format!("jobs list {ca} {}", identity(&stranger));
    assert_eq!(server.say(&strange).code, Some(3));
    server
        .say(&format!(
            "jobs list {ca} --tls-cert {}",
            authority.file("client.pem")
        ))
        .failed(2, "bad_input");
}

#[test]
fn a_worker_shows_its_token_over_tls_and_a_wrong_one_is_final() {
    let authority = Authority::new();
    let tokens = authority.file("tokens.txt");
    let server = Server::start(&format!("{} --tokens {tokens}", authority.server()));
    let ca = authority.file("ca.pem");
    let worker = |role: &str| {
        let files = soko::rpc::AccessFiles {
            token: Some(authority.path(&format!("{role}.token"))),
            ca: Some(ca.clone().into()),
            ..soko::rpc::AccessFiles::default()
        };
        let config = soko_worker::Config {
            access: soko::rpc::Access::load(&files, None).unwrap(),
            threads: 1,
            exit_when_idle: true,
            ..soko_worker::Config::new(&server.url)
        };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let stop = tokio_util::sync::CancellationToken::new();
        runtime.block_on(soko_worker::run(config, stop))
    };
    let error = worker("reader").unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(
        error.to_string().contains("it takes role worker"),
        "{error}"
    );
    let submitter = authority.file("submitter.token");
    let access = format!("--tls-ca {ca} --token-file {submitter}");
    let job = server.say(&format!("submit --n 4 {access}")).document();
    assert!(worker("worker").unwrap().stored > 0);
    let id = job["job"].as_str().unwrap();
    let waited = server.say(&format!("jobs wait {id} {access}"));
    assert_eq!(waited.code, Some(0), "{waited:?}");
}

#[test]
fn listening_beyond_this_machine_takes_protection_or_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let serve = |arguments: &str| {
        let data = data(&dir.path().join("data"));
        format!("serve --http none {data} {arguments} -o json")
    };
    let open = serve("--listen 0.0.0.0:0");
    let said = say(&open);
    said.failed(2, "bad_input");
    assert!(said.err.contains("--insecure"), "{said:?}");
    let authority = Authority::new();
    let tls = authority.server();
    let tokens = format!("--tokens {}", authority.file("tokens.txt"));
    say(&serve(&format!("--listen 0.0.0.0:0 {tls}"))).failed(2, "bad_input");
    say(&serve(&format!("--listen 0.0.0.0:0 {tokens}"))).failed(2, "bad_input");
    assert!(!dir.path().join("data").exists(), "nothing was created");
    for allowed in ["--insecure".to_owned(), format!("{tls} {tokens}")] {
        let mut running = Running::start(&serve(&format!("--listen 0.0.0.0:0 {allowed}")));
        assert!(running.first_line().contains("coordinator"), "{allowed}");
        running.signal("-TERM");
        let (status, err) = running.ends_within(Duration::from_secs(8));
        assert_eq!(status.code(), Some(0), "{err}");
    }
}

#[test]
fn files_that_make_no_sense_are_refused_before_anything_starts() {
    let authority = Authority::new();
    let dir = tempfile::tempdir().unwrap();
    let data = data(&dir.path().join("data"));
    let (cert, key) = (authority.file("server.pem"), authority.file("server.key"));
    let other = Authority::new().file("server.key");
    let ca_key = authority.file("ca.key");
    for arguments in [
        format!("--tls-cert {key} --tls-key {key}"),
        format!("--tls-cert {cert} --tls-key {cert}"),
        format!("--tls-cert {cert} --tls-key {ca_key}"),
        format!("--tls-cert {cert} --tls-key {other}"),
        format!("--tls-cert {cert} --tls-key {key} --tls-client-ca {key}"),
        "--tls-cert /does/not/exist --tls-key /neither".to_owned(),
        format!("--tokens {cert}"),
        "--tokens /does/not/exist".to_owned(),
    ] {
        say(&format!(
            "serve --listen 127.0.0.1:0 {data} {arguments} -o json"
        ))
        .failed(2, "bad_input");
    }
    assert!(!dir.path().join("data").exists());
}

/// The answer of the web page.
fn get(page: &str, path: &str, authorization: Option<&str>) -> String {
    get_as(
        page,
        page.trim_start_matches("http://"),
        path,
        authorization,
    )
}

/// The answer of the web page to a browser that calls it by this name.
fn get_as(page: &str, host: &str, path: &str, authorization: Option<&str>) -> String {
    let address = page.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let header = authorization.map_or_else(String::new, |it| format!("Authorization: {it}\r\n"));
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_page_asks_for_a_token_too() {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let authority = Authority::new();
    let server = Server::start(&format!("--tokens {}", authority.file("tokens.txt")));
    let read = |file: &Path| std::fs::read_to_string(file).unwrap().trim().to_owned();
    let (reader, worker) = (
        read(&authority.path("reader.token")),
        read(&authority.path("worker.token")),
    );
    let basic = |token: &str| format!("Basic {}", BASE64_STANDARD.encode(format!("me:{token}")));
    let status = |path: &str, authorization: Option<&str>| {
        let answer = get(&server.page, path, authorization);
        answer[9..12].parse::<u16>().unwrap()
    };
    for path in [
        "/",
        "/records",
        "/metrics",
        "/live/overview",
        "/assets/style.css",
    ] {
        assert_eq!(status(path, None), 401, "{path}");
    }
    assert_eq!(status("/", Some(&basic(&reader))), 200);
    assert_eq!(status("/metrics", Some(&format!("Bearer {reader}"))), 200);
    assert_eq!(status("/", Some(&basic(&worker))), 401);
    for nonsense in ["Basic", "Basic !!", "Bearer", "Digest x", &basic("short")] {
        assert_eq!(status("/", Some(nonsense)), 401, "{nonsense}");
    }
    assert_eq!(status("/healthz", None), 200);
}

#[test]
fn the_page_answers_under_the_names_it_is_given() {
    let server = Server::start("--http-host a.example,b.example --http-host c.example");
    for (host, status) in [
        ("a.example:8080", "200"),
        ("b.example", "200"),
        ("C.example", "200"),
        ("localhost", "200"),
        ("d.example", "421"),
    ] {
        let answer = get_as(&server.page, host, "/", None);
        assert_eq!(&answer[9..12], status, "{host}");
    }
    say("serve --http-host http://a.example -o json").failed(2, "usage");
}
