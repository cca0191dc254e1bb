//! Text out of files, fit to be shown.

/// The text with its control characters, line breaks and marks of writing direction as escapes: `\u{1b}` for what begins a terminal's commands.
///
/// Names come from files that anybody made; shown as they are, they could write over a terminal's lines or hide in them.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || is_invisible(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Separators of lines, and marks that turn the direction of what follows.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_becomes_an_escape() {
        assert_eq!(printable("\u{1b}[2Jname\r\n"), "\\u{1b}[2Jname\\r\\n");
        assert_eq!(
            printable("a\u{9b}31m\u{7}\u{202e}b"),
            "a\\u{9b}31m\\u{7}\\u{202e}b"
        );
        assert_eq!(
            printable("Zoë 骨 left/arm \\ \"x\""),
            "Zoë 骨 left/arm \\ \"x\""
        );
    }
}
