//! Calls of bytes: what no generated client would send.

use std::time::Duration;

use bytes::{Buf, BufMut, Bytes};
use tokio::time::timeout;
use tonic::{
    Status,
    client::Grpc,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    codegen::http::uri::PathAndQuery,
    transport::Channel,
};

/// Long enough for any answer here.
const PATIENCE: Duration = Duration::from_secs(30);

/// Messages are the bytes that they are.
#[derive(Debug, Clone, Copy, Default)]
struct Raw;

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let length = from.remaining();
        Ok(Some(from.copy_to_bytes(length)))
    }
}

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

/// Sends messages to a method, and gives back the first answer; none if the
/// stream of answers ends without one. On the wire, all calls are streams.
pub(crate) async fn call(
    channel: &Channel,
    path: &str,
    messages: Vec<Vec<u8>>,
) -> Result<Option<Bytes>, Status> {
    let mut grpc = Grpc::new(channel.clone()).max_decoding_message_size(usize::MAX);
    grpc.ready().await.unwrap();
    let path: PathAndQuery = path.parse().unwrap();
    let request = tonic::Request::new(tokio_stream::iter(messages));
    let answered = async {
        let answers = grpc.streaming(request, path, Raw).await?;
        answers.into_inner().message().await
    };
    timeout(PATIENCE, answered).await.expect("no answer")
}
