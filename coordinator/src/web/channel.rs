//! What changed, from the feed to each viewer.
//!
//! A message is written once for all viewers. Each has room for one: who is
//! slow misses messages in between, never the last one, and costs nothing.

use std::{convert::Infallible, time::Duration};

use bytes::Bytes;
use tokio::{
    sync::{OwnedSemaphorePermit, watch},
    time::interval,
};
use tokio_stream::{Stream, StreamExt, wrappers::WatchStream};

/// How often a silent stream shows that it is alive, so that nothing between
/// the two ends closes it.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// The newest message about one thing.
#[derive(Debug)]
pub(super) struct Channel(watch::Sender<Message>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Message {
    /// Nothing has been said yet.
    Nothing,
    /// An event as it goes over the wire.
    Event(Bytes),
    /// Nothing will be said any more.
    End,
}

impl Channel {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(Message::Nothing))
    }

    /// Whether somebody listens.
    pub(super) fn is_followed(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Whether a new listener has to wait for the feed.
    pub(super) fn is_empty(&self) -> bool {
        *self.0.borrow() == Message::Nothing
    }

    /// Sends an event, unless it is the one that was sent last. `data` is JSON
    /// and so has no line feeds.
    pub(super) fn send(&self, event: &str, data: &str) {
        let message = Message::Event(format!("event: {event}\ndata: {data}\n\n").into());
        self.replace(message);
    }

    /// Forgets what was said: it is out of date.
    pub(super) fn clear(&self) {
        self.replace(Message::Nothing);
    }

    /// Ends all streams.
    pub(super) fn end(&self) {
        self.replace(Message::End);
    }

    fn replace(&self, message: Message) {
        self.0.send_if_modified(|shown| {
            let changed = *shown != message;
            if changed {
                *shown = message;
            }
            changed
        });
    }

    /// The events from now on, the last one before first.
    pub(super) fn follow(&self) -> Events {
        Events(WatchStream::new(self.0.subscribe()))
    }
}

/// The events of a channel.
#[derive(Debug)]
pub(super) struct Events(WatchStream<Message>);

impl Events {
    /// The body of an answer. It ends with the channel; the permit is given
    /// back when it does, or when the viewer goes.
    pub(super) fn body(
        self,
        permit: OwnedSemaphorePermit,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> {
        body(self.0, permit, SIGN_OF_LIFE)
    }

    /// The events of this channel and of others.
    pub(super) fn body_with(
        self,
        others: [Self; 2],
        permit: OwnedSemaphorePermit,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> {
        let [second, third] = others;
        let all = self.0.merge(second.0).merge(third.0);
        body(all, permit, SIGN_OF_LIFE)
    }
}

fn body(
    messages: impl Stream<Item = Message>,
    permit: OwnedSemaphorePermit,
    sign_of_life: Duration,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    messages
        .timeout_repeating(interval(sign_of_life))
        .take_while(|message| !matches!(message, Ok(Message::End)))
        .filter_map(move |message| {
            let _held = &permit;
            match message {
                Ok(Message::Event(event)) => Some(Ok(event)),
                Ok(_) => None,
                Err(_) => Some(Ok(Bytes::from_static(b": still here\n\n"))),
            }
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn a_slow_viewer_sees_the_last_event_and_the_end() {
        let places = Arc::new(Semaphore::new(1));
        let channel = Channel::new();
        let permit = Arc::clone(&places).try_acquire_owned().unwrap();
        let mut body = Box::pin(channel.follow().body(permit));
        assert!(channel.is_followed() && channel.is_empty());
        for number in 0..1000 {
            channel.send("job", &number.to_string());
        }
        let event = body.next().await.unwrap().unwrap();
        assert_eq!(event, "event: job\ndata: 999\n\n");
        channel.end();
        assert!(body.next().await.is_none());
        assert_eq!(places.available_permits(), 0);
        drop(body);
        assert_eq!(places.available_permits(), 1);
        assert!(!channel.is_followed());
    }

    #[tokio::test]
    async fn a_silent_stream_shows_that_it_is_alive() {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let channel = Channel::new();
        let often = Duration::from_millis(1);
        let mut body = Box::pin(body(channel.follow().0, permit, often));
        assert!(body.next().await.unwrap().unwrap().starts_with(b": "));
        channel.send("job", "1");
        while !body.next().await.unwrap().unwrap().starts_with(b"event") {}
    }
}
