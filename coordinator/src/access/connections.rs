//! Connections: so many at a time, and none that is silent for long. A browser
//! that sends a byte now and then keeps its place; of gRPC connections the calls
//! are limited too.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::{Instant, Sleep, sleep},
};
use tokio_stream::{Stream, wrappers::ReceiverStream};
use tonic::transport::server::{Connected, TcpConnectInfo};

use super::NoPlace;

/// Connections that may be told at the same time that there is no place.
const TOLD: usize = 64;
/// How often the log mentions connections that are refused, or not accepted.
const MENTION: Duration = Duration::from_secs(10);
/// How long to wait when no connection can be accepted, with too many open
/// files for example.
const PAUSE: Duration = Duration::from_millis(100);
/// Open files that are left for the store and all else.
const OTHER_FILES: u64 = 256;

/// What each listener and each connection may take up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Open gRPC connections.
    pub grpc: usize,
    /// Open connections of browsers.
    pub web: usize,
    /// Calls at the same time on one gRPC connection. Further ones wait.
    pub calls: u32,
    /// How long a connection may be without a byte in either direction.
    /// Workers are asked for one every 20 s, pages get one every 15 s.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            grpc: 12_000,
            web: 5_000,
            calls: 256,
            idle: Duration::from_mins(1),
        }
    }
}

impl Limits {
    /// The product's limits, or as many connections as the process may have
    /// open files; it takes as many of these as the system lets it, for the
    /// whole process.
    pub fn of_system() -> Self {
        Self::of_files(open_files())
    }

    fn of_files(files: u64) -> Self {
        let share = (files.saturating_sub(OTHER_FILES) / 2).max(16);
        let share = usize::try_from(share).unwrap_or(usize::MAX);
        let most = Self::default();
        Self {
            grpc: share.min(most.grpc),
            web: share.min(most.web),
            ..most
        }
    }
}

/// Open files that the process may have, after asking for all that the system
/// allows.
fn open_files() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let more = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let limit = match setrlimit(Resource::Nofile, more) {
        Ok(()) => more,
        Err(_) => limit,
    };
    limit.current.unwrap_or(u64::MAX)
}

/// A listener that keeps so many connections open at most.
#[derive(Debug)]
pub struct Gate {
    listener: TcpListener,
    places: Arc<Semaphore>,
    limit: usize,
    idle: Duration,
    /// `None`: connections without a place are closed without a word. Behind TLS
    /// it would have to be encrypted first, and that is work.
    no_place: Option<NoPlace>,
    told: Arc<Semaphore>,
    refused: Count,
    failed: Count,
}

/// Counts what happens often, for the log to mention it now and then.
#[derive(Debug, Default)]
struct Count {
    count: u64,
    mentioned: Option<Instant>,
}

impl Count {
    /// Once more; gives back how often it was, if that is to be mentioned.
    fn mention(&mut self) -> Option<u64> {
        self.count += 1;
        if self.mentioned.is_some_and(|at| at.elapsed() < MENTION) {
            return None;
        }
        self.mentioned = Some(Instant::now());
        Some(self.count)
    }
}

/// Whether a connection ended before it was accepted: nothing is wrong here.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionReset)
}

impl Gate {
    /// At most `limit` connections, closed after `idle` without a byte.
    pub fn new(
        listener: TcpListener,
        limit: usize,
        idle: Duration,
        no_place: Option<NoPlace>,
    ) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(limit)),
            limit,
            idle,
            no_place,
            told: Arc::new(Semaphore::new(TOLD)),
            refused: Count::default(),
            failed: Count::default(),
        }
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The next connection that has a place. Others are told so and closed:
    /// a client that waited in vain would not know why.
    pub async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) if is_gone(&error) => continue,
                Err(error) => {
                    if let Some(failed) = self.failed.mention() {
                        tracing::warn!(%error, failed, "connections cannot be accepted");
                    }
                    sleep(PAUSE).await;
                    continue;
                }
            };
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                // Without it small messages wait for others; nothing else is lost.
                let _ = stream.set_nodelay(true);
                return (Connection::new(stream, place, self.idle), address);
            }
            self.refuse(stream);
        }
    }

    fn refuse(&mut self, stream: TcpStream) {
        if let Some(refused) = self.refused.mention() {
            let limit = self.limit;
            tracing::warn!(limit, refused, "too many connections; new ones are refused");
        }
        if let Some(no_place) = self.no_place
            && let Ok(told) = Arc::clone(&self.told).try_acquire_owned()
        {
            tokio::spawn(async move {
                no_place.tell(stream).await;
                drop(told);
            });
        }
    }

    /// The connections, one after the other. The port is free again when the
    /// stream is dropped.
    pub fn into_stream(mut self) -> impl Stream<Item = io::Result<Connection>> {
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            loop {
                let connection = tokio::select! {
                    (connection, _) = self.accept() => connection,
                    () = sender.closed() => return,
                };
                if sender.send(Ok(connection)).await.is_err() {
                    return;
                }
            }
        });
        ReceiverStream::new(receiver)
    }
}

/// A connection that has a place, and gives it back when it is closed.
#[derive(Debug)]
pub struct Connection {
    /// Given back first: who sees the end finds a place.
    _place: OwnedSemaphorePermit,
    stream: TcpStream,
    idle: Duration,
    last: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, idle: Duration) -> Self {
        Self {
            _place: place,
            stream,
            idle,
            last: Instant::now(),
            timer: Box::pin(sleep(idle)),
        }
    }

    /// Fails once nothing has happened for too long.
    fn poll_idle(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            ready!(self.timer.as_mut().poll(context));
            let until = self.last + self.idle;
            if until <= Instant::now() {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.timer.as_mut().reset(until);
        }
    }

    /// Notes whether something happened.
    fn noted<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.last = Instant::now();
            return polled;
        }
        self.poll_idle(context).map(Err)
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.noted(context, polled)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, buffer);
        self.noted(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.noted(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl axum::serve::Listener for Gate {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        Self::accept(self).await
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Self::local_addr(self)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        time::timeout,
    };

    use super::*;

    /// Long enough for anything here, short enough to notice a hang.
    const PATIENCE: Duration = Duration::from_secs(20);

    async fn gate(limit: usize, idle: Duration) -> (Gate, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gate = Gate::new(listener, limit, idle, Some(NoPlace::Http));
        let address = gate.local_addr().unwrap();
        (gate, address)
    }

    #[tokio::test]
    async fn who_finds_no_place_is_told_so_and_places_come_back() {
        let (mut gate, address) = gate(1, Duration::from_mins(1)).await;
        let _first = TcpStream::connect(address).await.unwrap();
        let (held, _) = gate.accept().await;
        let accepting = tokio::spawn(async move { gate.accept().await.0 });
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let mut heard = String::new();
        let hearing = second.read_to_string(&mut heard);
        timeout(PATIENCE, hearing).await.unwrap().unwrap();
        assert!(heard.starts_with("HTTP/1.1 503 "), "{heard}");
        let (_, body) = heard.split_once("\r\n\r\n").unwrap();
        assert!(heard.contains(&format!("content-length: {}\r\n", body.len())));
        assert!(!accepting.is_finished());
        drop(held);
        let mut third = TcpStream::connect(address).await.unwrap();
        let mut served = accepting.await.unwrap();
        served.write_all(b"x").await.unwrap();
        assert_eq!(third.read_u8().await.unwrap(), b'x');
    }

    #[tokio::test]
    async fn a_connection_without_a_byte_is_closed() {
        let idle = Duration::from_millis(40);
        let (mut gate, address) = gate(1, idle).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let (mut served, _) = gate.accept().await;
        let began = Instant::now();
        sleep(idle / 2).await;
        // A byte in either direction counts.
        served.write_all(b"x").await.unwrap();
        client.read_u8().await.unwrap();
        let closed = timeout(PATIENCE, served.read_u8()).await.unwrap();
        let error = closed.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= idle + idle / 2);
    }

    #[test]
    fn the_default_asks_the_system_for_nothing() {
        let before = getrlimit(Resource::Nofile);
        let default = Limits::default();
        assert_eq!(getrlimit(Resource::Nofile), before);
        assert_eq!((default.grpc, default.web), (12_000, 5_000));
        assert_eq!(Limits::of_files(u64::MAX), default);
        let few = Limits::of_files(1024);
        assert_eq!((few.grpc, few.web), (384, 384));
        assert_eq!(Limits::of_files(0).grpc, 16);
    }

    #[test]
    fn a_client_that_went_away_is_no_fault_and_faults_are_mentioned_rarely() {
        assert!(is_gone(&io::ErrorKind::ConnectionAborted.into()));
        assert!(is_gone(&io::ErrorKind::ConnectionReset.into()));
        let files = io::Error::from(rustix::io::Errno::MFILE);
        assert!(!is_gone(&files));
        let mut count = Count::default();
        assert_eq!(count.mention(), Some(1));
        assert_eq!(count.mention(), None);
        count.mentioned = Instant::now().checked_sub(MENTION);
        assert_eq!(count.mention(), Some(3));
    }
}
