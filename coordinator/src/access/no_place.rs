//! What a connection hears for which there is no place.

use std::{collections::HashMap, time::Duration};

use tokio::{
    io::{self, AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::service::Reason;

/// How long one of them gets to ask and to hear it.
const HEARING: Duration = Duration::from_secs(3);
/// The most that a call may have in its headers, in bytes.
const HEADERS: u32 = 16 << 10;

const HTTP: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\n\
    content-type: text/plain\r\ncontent-length: 37\r\nconnection: close\r\n\r\n\
    too many connections; try again later";

/// How clients without a place are told so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlace {
    /// An answer of HTTP/1.
    Http,
    /// The status of a gRPC call.
    Grpc,
}

impl NoPlace {
    /// Says it, and closes the connection.
    pub(super) async fn tell(self, stream: TcpStream) {
        let told = async {
            match self {
                Self::Http => answer(stream).await,
                Self::Grpc => answer_call(stream).await.map_err(io::Error::other),
            }
        };
        // Whoever does not listen misses nothing but the reason.
        let _ = timeout(HEARING, told).await;
    }
}

/// Answers a request of HTTP/1. What the client sends is read before the
/// connection is closed, or it would lose the answer.
async fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(HTTP).await?;
    stream.shutdown().await?;
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Answers the first gRPC call. A connection that is closed before the call is
/// there would fail it with a reason of the client's own.
async fn answer_call(stream: TcpStream) -> Result<(), h2::Error> {
    let mut connection = h2::server::Builder::new()
        .max_header_list_size(HEADERS)
        .handshake::<_, &[u8]>(stream)
        .await?;
    while let Some(call) = connection.accept().await {
        let (_, mut answer) = call?;
        let status = Reason::TooManyConnections.status("too many connections", HashMap::new());
        answer.send_response(status.into_http(), true)?;
        connection.graceful_shutdown();
    }
    Ok(())
}
