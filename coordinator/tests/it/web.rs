//! The web page, spoken to as a browser does.

use std::{net::SocketAddr, time::Duration};

use serde_json::{Value, json};
use soko::plan::Search;
use soko_coord::store::Catalog;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::{
    cluster::{Cluster, PATIENCE, Puppet},
    toy,
};

/// A search of eight shards.
fn search() -> Search {
    Search {
        shard_ms: 8,
        ..toy::search(5)
    }
}

struct Page {
    cluster: Cluster,
    address: SocketAddr,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Page {
    async fn start() -> Self {
        let http = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = http.local_addr().unwrap();
        let catalog = Catalog::in_memory().unwrap();
        let cluster = Cluster::start(catalog, |options| {
            options.http = Some(http);
            options.http_names = vec!["soko.example".to_owned()];
        })
        .await;
        Self { cluster, address }
    }

    async fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn ask(&self, request: &str) -> Answer {
        let mut stream = self.send(request).await;
        let mut text = String::new();
        let read = timeout(PATIENCE, stream.read_to_string(&mut text)).await;
        read.unwrap().unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head[9..12].parse().unwrap(),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    async fn get(&self, path: &str) -> Answer {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        self.ask(&request).await
    }

    async fn post(&self, path: &str, kind: &str, body: &str) -> Answer {
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.ask(&request).await
    }

    async fn solve(&self, level: &str) -> Answer {
        let body = json!({ "level": level }).to_string();
        self.post("/api/solve", "application/json", &body).await
    }

    async fn follow(&self, path: &str) -> Live {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let stream = self.send(&request).await;
        Live {
            stream,
            text: String::new(),
        }
    }
}

/// A stream of events.
struct Live {
    stream: TcpStream,
    text: String,
}

impl Live {
    /// The data of the next event of this name that fits.
    async fn wait(&mut self, event: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let begin = format!("event: {event}\ndata: ");
        loop {
            while let Some(at) = self.text.find(&begin) {
                let rest = &self.text[at + begin.len()..];
                let Some(end) = rest.find("\n\n") else {
                    break;
                };
                let data: Value = serde_json::from_str(&rest[..end]).unwrap();
                let used = self.text.len() - rest.len() + end;
                self.text.drain(..used);
                if fits(&data) {
                    return data;
                }
            }
            let mut buffer = vec![0; 65536];
            let read = timeout(PATIENCE, self.stream.read(&mut buffer)).await;
            let length = read.unwrap().unwrap();
            assert!(length > 0, "the stream ended");
            // Lengths of chunks stand between; no event of these tests is cut.
            self.text
                .push_str(std::str::from_utf8(&buffer[..length]).unwrap());
        }
    }

    async fn ends(mut self) {
        let mut rest = Vec::new();
        let read = timeout(PATIENCE, self.stream.read_to_end(&mut rest)).await;
        read.unwrap().unwrap();
    }
}

#[tokio::test]
async fn pages_are_there_and_say_what_browsers_may_do() {
    let page = Page::start().await;
    let job = page.cluster.submit(&search()).await.job;
    for path in ["/", "/records", "/editor", &format!("/jobs/{job}")] {
        let answer = page.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.body.contains("<h1"), "{path}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "x-content-type-options: nosniff",
            "content-type: text/html; charset=utf-8",
        ] {
            assert!(answer.head.contains(header), "{path}: {}", answer.head);
        }
        assert!(!answer.head.contains("unsafe-"), "{path}");
        assert!(!answer.head.contains("access-control-allow"), "{path}");
    }
    for path in [
        "/jobs/0123",
        "/records/9x9",
        "/records/x",
        "/nothing",
        "/assets/../serve.rs",
    ] {
        let answer = page.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.body.contains("nothing here"), "{path}");
        assert!(answer.head.contains("content-security-policy"), "{path}");
    }
    let script = page.get("/assets/dom.js").await;
    assert!(script.head.contains("content-type: text/javascript"));
    page.cluster.shut_down().await;
}

/// A page from elsewhere whose name is made to lead here reads nothing.
#[tokio::test]
async fn a_name_that_nobody_gave_is_refused() {
    let page = Page::start().await;
    let ask = async |path: &str, hosts: &str| {
        let request = format!("GET {path} HTTP/1.1\r\n{hosts}connection: close\r\n\r\n");
        page.ask(&request).await
    };
    for path in ["/", "/api/records/6x6", "/live/overview", "/none"] {
        let answer = ask(path, "host: evil.example:8080\r\n").await;
        assert_eq!(answer.status, 421, "{path}");
        assert!(answer.head.contains("text/plain"), "{}", answer.head);
        for text in ["\"evil.example:8080\"", "--http-host", "SOKO_HTTP_HOST"] {
            assert!(answer.body.contains(text), "{}", answer.body);
        }
    }
    let body = "{}";
    let request = format!(
        "POST /api/solve HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(page.ask(&request).await.status, 421);
    for (path, hosts) in [
        ("http://evil.example/", "host: localhost\r\n"),
        ("/", "host: localhost\r\nhost: evil.example\r\n"),
        ("/", "host: \r\n"),
    ] {
        let status = ask(path, hosts).await.status;
        assert!([400, 421].contains(&status), "{path} {hosts}: {status}");
    }
    for hosts in [
        format!("host: {}\r\n", page.address),
        "host: soko.example\r\n".to_owned(),
        "host: [::1]:8080\r\n".to_owned(),
    ] {
        assert_eq!(ask("/", &hosts).await.status, 200, "{hosts}");
    }
    for path in ["/metrics", "/healthz", "/readyz"] {
        let answer = ask(path, "host: coordinator:8080\r\n").await;
        assert_eq!(answer.status, 200, "{path}");
    }
    page.cluster.shut_down().await;
}

#[tokio::test]
async fn no_get_changes_anything() {
    let page = Page::start().await;
    let job = page.cluster.submit(&search()).await.job;
    for path in ["/api/solve", "/jobs", "/api/jobs"] {
        let status = page.get(path).await.status;
        assert!(status == 404 || status == 405, "{path}: {status}");
    }
    // Nor can a form of another site: it cannot send JSON.
    let body = r#"{"level":"@$."}"#;
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        assert_eq!(page.post("/api/solve", kind, body).await.status, 415);
    }
    assert_eq!(
        page.post(&format!("/jobs/{job}"), "application/json", "{}")
            .await
            .status,
        405
    );
    page.cluster.shut_down().await;
}

#[tokio::test]
async fn the_editor_gets_a_solution_or_the_reason() {
    let page = Page::start().await;
    let solved = page
        .solve("Title: <script>alert(1)</script>\n\n@$-.\n----")
        .await;
    assert_eq!(solved.status, 200, "{}", solved.body);
    assert_eq!(solved.json()["moves"], 2);
    assert_eq!(solved.json()["lurd"], "RR");
    assert!(solved.head.contains("content-type: application/json"));
    let refused = page.solve("@$-.\n-$--").await;
    assert_eq!(refused.status, 422);
    let message = refused.json()["error"]["message"].to_string();
    assert!(message.contains("2 boxes"), "{message}");
    assert_eq!(page.solve(&"-".repeat(70_000)).await.status, 413);
    let broken = page
        .post("/api/solve", "application/json", "{\"level\":")
        .await;
    assert!(broken.status == 400 || broken.status == 422);
    page.cluster.shut_down().await;
}

#[tokio::test]
async fn viewers_see_a_job_from_its_start_to_its_end() {
    let page = Page::start().await;
    let mut overview = page.follow("/live/overview").await;
    overview.wait("active", |it| it["jobs"] == json!([])).await;
    let job = page.cluster.submit(&search()).await.job;
    let mine = |list: &Value| {
        let jobs = list.as_array().unwrap();
        jobs.iter().any(|it| it["job"] == job.as_str())
    };
    overview.wait("active", |it| mine(&it["jobs"])).await;
    let mut detail = page.follow(&format!("/live/jobs/{job}")).await;
    let first = detail.wait("job", |_| true).await;
    assert_eq!(first["job"]["progress"], 0.0);
    assert!(first["result"].is_null());
    let mut worker = Puppet::connect(&page.cluster, "w").await;
    worker.work(true).await;
    let some = detail
        .wait("job", |it| it["job"]["progress"].as_f64() > Some(0.0))
        .await;
    assert!(some["job"]["progress"].as_f64() < Some(1.0));
    worker.work_all().await;
    let last = detail.wait("job", |it| it["job"]["state"] == "done").await;
    assert_eq!(last["result"]["state"], "done");
    overview.wait("ended", mine).await;
    assert!(
        page.get("/metrics")
            .await
            .body
            .contains("soko_http_viewers 2")
    );
    // Shutting down ends both streams in time.
    let ends = async { tokio::join!(overview.ends(), detail.ends()) };
    tokio::join!(page.cluster.shut_down(), ends);
}

#[tokio::test]
async fn health_readiness_and_metrics() {
    let page = Page::start().await;
    assert_eq!(page.get("/healthz").await.body, "ok\n");
    assert_eq!(page.get("/readyz").await.body, "ready\n");
    page.cluster.submit(&search()).await;
    let metrics = page.get("/metrics").await;
    assert!(metrics.head.contains("application/openmetrics-text"));
    for line in [
        "soko_http_requests_total{route=\"/healthz\",status=\"200\"} 1",
        "soko_workers{state=\"live\"} 0.0",
    ] {
        assert!(
            metrics.body.lines().any(|it| it == line),
            "{line}: {}",
            metrics.body
        );
    }
    assert!(metrics.body.ends_with("# EOF\n"));
    page.cluster.shut_down().await;
}

/// Whoever connects and says nothing holds nobody up.
#[tokio::test]
async fn a_silent_browser_does_not_delay_the_end() {
    let page = Page::start().await;
    let silent = page.send("GET / HTTP/1.1\r\n").await;
    let begun = tokio::time::Instant::now();
    page.cluster.shut_down().await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(silent);
}
