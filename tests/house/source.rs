//! Just enough Rust to see which modules a file speaks of.

/// The code with its comments, strings and character literals blanked out, line breaks kept.
pub fn without_comments_and_strings(code: &str) -> String {
    let mut rest = code;
    let mut plain = String::with_capacity(code.len());
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_length(rest, plain.chars().next_back());
        if skipped == 0 {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            plain.push(' ');
            plain.extend(rest[..skipped].chars().filter(|&c| c == '\n'));
            rest = &rest[skipped..];
        }
    }
    plain
}

/// Bytes of the comment or literal that the text begins with, or zero.
fn skipped_length(text: &str, before: Option<char>) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let after_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if text.starts_with('r') && !after_word {
        return raw_string_length(text);
    }
    match text.as_bytes()[0] {
        b'"' => quoted_length(text, '"'),
        b'\'' => character_length(text),
        _ => 0,
    }
}

fn raw_string_length(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|&c| c == '#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = 2 + hashes;
    text[body..]
        .find(&end)
        .map_or(text.len(), |at| body + at + end.len())
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A lifetime is no literal: it has no quote after its first character.
fn character_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted_length(text, '\''),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// The modules of our crate that the code of the module at `path` refers to, as full paths: `["gpu", "buffer"]`.
///
/// Understands `crate::`, `self::` and `super::` with nested groups. Inside an inline module `super` is taken as if in
/// the file itself, so it may see one level too many.
pub fn references(code: &str, path: &[String]) -> Vec<Vec<String>> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    for (ix, &token) in tokens.iter().enumerate() {
        let starts_path = ix == 0 || tokens[ix - 1] != "::";
        let followed = tokens.get(ix + 1) == Some(&"::");
        if starts_path && followed && ["crate", "super"].contains(&token) {
            read_tree(&tokens, ix, path.to_vec(), &mut found);
        }
    }
    found
}

/// Reads a path or a group of paths at `ix`, adds every full path to `found`, and returns where it ends.
fn read_tree(
    tokens: &[&str],
    mut ix: usize,
    mut prefix: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    while let Some(&token) = tokens.get(ix) {
        match token {
            "{" => return read_group(tokens, ix + 1, &prefix, found),
            "crate" => prefix.clear(),
            "super" => drop(prefix.pop()),
            "self" | "::" => {}
            word if is_word(word) => prefix.push(word.to_owned()),
            _ => break,
        }
        ix += 1;
        let goes_on = token == "::" || tokens.get(ix) == Some(&"::");
        if !goes_on {
            break;
        }
    }
    found.push(prefix);
    ix
}

fn read_group(
    tokens: &[&str],
    mut ix: usize,
    prefix: &[String],
    found: &mut Vec<Vec<String>>,
) -> usize {
    while let Some(&token) = tokens.get(ix) {
        match token {
            "}" => return ix + 1,
            word if is_word(word) => ix = read_tree(tokens, ix, prefix.to_vec(), found),
            _ => ix += 1,
        }
    }
    ix
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single other characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

#[test]
fn comments_and_literals_are_no_code() {
    let code = "use a; // crate::x\nlet s = \"crate::y \\\" crate::z\"; let c = '\"'; /* crate::w */ fn f<'a>(r: &'a u8) {}";
    let plain = without_comments_and_strings(code);
    assert!(!plain.contains("crate"), "{plain}");
    assert!(plain.contains("fn f<'a>(r: &'a u8)"), "{plain}");
    assert_eq!(without_comments_and_strings("r#\"a \" crate\"# b"), "  b");
    assert_eq!(
        without_comments_and_strings("for r in 0..2"),
        "for r in 0..2"
    );
}

#[test]
fn groups_and_relative_paths_are_resolved() {
    let path = ["collide", "radial", "twin"].map(str::to_owned);
    let code = "use crate::{gpu::{Buffer, image}, math}; use super::super::settings::A; fn f(x: super::field::F) {}";
    let found: Vec<String> = references(code, &path)
        .iter()
        .map(|p| p.join("/"))
        .collect();
    assert_eq!(
        found,
        [
            "gpu/Buffer",
            "gpu/image",
            "math",
            "collide/settings/A",
            "collide/radial/field/F"
        ]
    );
}
