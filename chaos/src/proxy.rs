//! A network that can be cut, made silent or slow.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::sleep,
};

/// What the network does to what passes through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weather {
    /// It passes.
    Clear,
    /// Nothing passes, and nobody is told.
    Silent,
    /// It passes late.
    Slow(Duration),
}

/// A way to a coordinator.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    weather: watch::Sender<Weather>,
    /// Counts up to cut all connections that there are.
    cuts: watch::Sender<u64>,
    passed: Arc<AtomicU64>,
    /// When connections came, since the start.
    accepted: Arc<Mutex<Vec<Duration>>>,
}

impl Proxy {
    pub(crate) async fn start(upstream: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let weather = watch::Sender::new(Weather::Clear);
        let cuts = watch::Sender::new(0);
        let passed = Arc::new(AtomicU64::new(0));
        let ways = (weather.subscribe(), cuts.subscribe());
        let counter = Arc::clone(&passed);
        let accepted = Arc::new(Mutex::new(Vec::new()));
        let (log, begun) = (Arc::clone(&accepted), Instant::now());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                log.push(begun.elapsed());
                drop(log);
                let (weather, cuts) = ways.clone();
                let counter = Arc::clone(&counter);
                tokio::spawn(async move {
                    // Both ends see the connection end when this returns.
                    let _ = pass(client, upstream, weather, cuts, counter).await;
                });
            }
        });
        Ok(Self {
            address,
            weather,
            cuts,
            passed,
            accepted,
        })
    }

    /// Ends all connections that there are.
    pub(crate) fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    pub(crate) fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }

    /// When connections came, since the start.
    pub(crate) fn accepted(&self) -> Vec<Duration> {
        let accepted = self.accepted.lock();
        accepted.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Bytes that have passed.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }
}

async fn pass(
    mut client: TcpStream,
    upstream: SocketAddr,
    weather: watch::Receiver<Weather>,
    mut cuts: watch::Receiver<u64>,
    counter: Arc<AtomicU64>,
) -> std::io::Result<()> {
    cuts.mark_unchanged();
    let mut server = TcpStream::connect(upstream).await?;
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    tokio::select! {
        end = copy(&mut from_client, &mut to_server, weather.clone(), &counter) => end,
        end = copy(&mut from_server, &mut to_client, weather.clone(), &counter) => end,
        _ = cuts.changed() => Ok(()),
    }
}

async fn copy(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    mut weather: watch::Receiver<Weather>,
    counter: &AtomicU64,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        let now = *weather.borrow_and_update();
        match now {
            Weather::Clear => {}
            Weather::Slow(delay) => sleep(delay).await,
            // What has come is held back until the sky clears.
            Weather::Silent => {
                let clears = |weather: &Weather| *weather != Weather::Silent;
                if weather.wait_for(clears).await.is_err() {
                    return Ok(());
                }
            }
        }
        to.write_all(&buffer[..read]).await?;
        counter.fetch_add(read as u64, Ordering::Relaxed);
    }
}
