//! The bench's flags: a subcommand a question.

use clap::{Args, Parser, Subcommand};

/// Measures what the viewer shows.
#[derive(Parser, Clone, Debug)]
#[command(name = "bench", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What is asked.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// How well fields of several cell sizes know the body, against the exact mesh, on the CPU.
    Accuracy(AccuracyFlags),
}

/// Flags of `bench accuracy`.
#[derive(Args, Clone, Debug)]
pub struct AccuracyFlags {
    /// Characters, as the viewer's --avatar takes them.
    #[arg(long, value_delimiter = ',', default_value = "human,mannequin,ogre")]
    pub avatars: Vec<String>,
    /// Sizes of a field's cells, millimetres.
    #[arg(long, value_delimiter = ',', default_value = "20,10,5,2.5", value_parser = parse_cell_size)]
    pub cells: Vec<f32>,
}

fn parse_cell_size(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(size) if (1.0..=1000.0).contains(&size) => Ok(size),
        _ => Err("give millimetres from 1 to 1000: usually 2.5 to 20".to_owned()),
    }
}
