//! Messages to the user, one a topic.

use radial_fields::overlay::{Message, Severity};

/// What loading came to.
pub const LOADING: &str = "loading";
/// What the character's user should know.
pub const CHARACTER: &str = "character";
pub const SHADERS: &str = "shaders";
pub const SCREENSHOT: &str = "screenshot";

/// The messages that stand at the moment, the oldest first.
#[derive(Default)]
pub struct Bulletin {
    messages: Vec<Message>,
}

impl Bulletin {
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

    /// Takes the message on a topic down.
    pub fn clear(&mut self, topic: &str) {
        self.messages.retain(|message| message.topic != topic);
    }

    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_one_message_at_most() {
        let mut bulletin = Bulletin::default();
        bulletin.post(Severity::Note, SHADERS, "first".to_owned());
        bulletin.post(Severity::Fault, SHADERS, "second".to_owned());
        bulletin.post(Severity::Note, LOADING, String::new());
        let texts: Vec<_> = bulletin
            .messages()
            .iter()
            .map(|message| message.text.as_str())
            .collect();
        assert_eq!(texts, ["second"]);
        bulletin.clear(SHADERS);
        assert!(bulletin.messages().is_empty());
    }
}
