//! Messages to the user, one a topic.

use std::time::{Duration, Instant};

use radial_fields::overlay::{Message, Severity};

/// What loading came to.
pub const LOADING: &str = "loading";
/// What the character's user should know.
pub const CHARACTER: &str = "character";
pub const SCREENSHOT: &str = "screenshot";
pub const TRACE: &str = "trace";
pub const TIMES: &str = "times";
pub const SETUP: &str = "setup";
pub const QUALITY: &str = "quality";

/// How long good news stands: long enough to be read, short enough not to be in the way.
const PASSING: Duration = Duration::from_secs(5);

/// The messages that stand at the moment, the oldest first.
#[derive(Default)]
pub struct Notifications {
    messages: Vec<Message>,
    /// When messages that pass by themselves go.
    ends: Vec<(&'static str, Instant)>,
}

impl Notifications {
    /// Puts up a message in place of the last one on the topic; nothing for an empty text.
    pub fn post(&mut self, severity: Severity, topic: &'static str, text: String) {
        self.clear(topic);
        if !text.is_empty() {
            self.messages.push(Message {
                severity,
                topic,
                text,
            });
        }
    }

    /// Puts up a note that goes by itself after a while.
    pub fn post_passing(&mut self, topic: &'static str, text: String, now: Instant) {
        self.post(Severity::Note, topic, text);
        self.ends.push((topic, now + PASSING));
    }

    /// Takes the message on a topic down.
    pub fn clear(&mut self, topic: &str) {
        self.messages.retain(|message| message.topic != topic);
        self.ends.retain(|(ending, _)| *ending != topic);
    }

    /// The messages that stand; those whose time is over go.
    pub fn messages(&mut self, now: Instant) -> &[Message] {
        let over = |topic: &str| {
            self.ends
                .iter()
                .any(|(ending, end)| *ending == topic && *end <= now)
        };
        self.messages.retain(|message| !over(message.topic));
        self.ends.retain(|(_, end)| *end > now);
        &self.messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(notifications: &mut Notifications, now: Instant) -> Vec<String> {
        notifications
            .messages(now)
            .iter()
            .map(|message| message.text.clone())
            .collect()
    }

    #[test]
    fn a_topic_has_one_message_at_most() {
        let (mut notifications, now) = (Notifications::default(), Instant::now());
        notifications.post(Severity::Note, QUALITY, "first".to_owned());
        notifications.post(Severity::Fault, QUALITY, "second".to_owned());
        notifications.post(Severity::Note, LOADING, String::new());
        assert_eq!(texts(&mut notifications, now), ["second"]);
        notifications.clear(QUALITY);
        assert!(texts(&mut notifications, now).is_empty());
    }

    #[test]
    fn good_news_passes_and_a_fault_in_its_place_stays() {
        let (mut notifications, now) = (Notifications::default(), Instant::now());
        notifications.post_passing(QUALITY, "compiled".to_owned(), now);
        notifications.post_passing(SCREENSHOT, "saved".to_owned(), now);
        notifications.post(Severity::Fault, QUALITY, "not compiled".to_owned());
        assert_eq!(texts(&mut notifications, now), ["saved", "not compiled"]);
        assert_eq!(texts(&mut notifications, now + PASSING), ["not compiled"]);
    }
}
