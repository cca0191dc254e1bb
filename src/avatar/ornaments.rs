//! What a character carries: drawn with it, and no part of the body that clothes are made for.

use super::{Avatar, Part};

impl Avatar {
    /// Makes ornaments of the body's triangles that `is_ornament` names by their index. They keep vertices and materials.
    pub fn set_aside(&mut self, is_ornament: impl Fn(usize) -> bool) {
        let body_count = self.skin.triangles.len();
        let is_body = |ix: usize| ix < body_count && !is_ornament(ix);
        let drawn = self.drawn_triangles();
        let runs = |wanted: bool| {
            let ranges: Vec<_> = match self.parts.is_empty() {
                true => std::iter::once(0..drawn.len() as u32).collect(),
                false => self
                    .parts
                    .iter()
                    .map(|part| part.triangles.clone())
                    .collect(),
            };
            let chosen = ranges.into_iter().map(move |range| {
                let range = range.start as usize..range.end as usize;
                range.filter(|&ix| is_body(ix) == wanted).collect()
            });
            chosen.collect::<Vec<Vec<usize>>>()
        };
        let (body, ornaments) = (runs(true), runs(false));
        let triangles = |runs: &[Vec<usize>]| runs.iter().flatten().map(|&ix| drawn[ix]).collect();
        let parts = self.parts.iter().cycle().zip(body.iter().chain(&ornaments));
        self.parts = laid_out(parts);
        self.skin.triangles = triangles(&body);
        self.ornaments = triangles(&ornaments);
    }

    /// The body's triangles, followed by its ornaments': what [`Avatar::parts`] index.
    pub fn drawn_triangles(&self) -> Vec<[u32; 3]> {
        [&self.skin.triangles[..], &self.ornaments].concat()
    }
}

/// The parts with as many triangles as each run has, one behind another, without those that have none.
fn laid_out<'a>(runs: impl Iterator<Item = (&'a Part, &'a Vec<usize>)>) -> Vec<Part> {
    let mut end = 0;
    let parts = runs.filter(|(_, run)| !run.is_empty()).map(|(part, run)| {
        let start = end;
        end += run.len() as u32;
        Part {
            triangles: start..end,
            ..part.clone()
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;

    #[test]
    fn ornaments_keep_their_materials_and_can_be_set_aside_twice() {
        let mut avatar = load_mannequin();
        let part = |triangles, red| Part {
            triangles,
            base_colour: [red, 0.0, 0.0, 1.0],
            texture_ix: None,
            alpha_cutoff: 0.0,
        };
        avatar.skin.triangles.truncate(10);
        avatar.parts = vec![part(0..4, 0.25), part(4..10, 0.5)];
        let before = avatar.skin.triangles.clone();
        let red_of = |avatar: &Avatar, triangle: [u32; 3]| {
            let ix = avatar.drawn_triangles().iter().position(|&t| t == triangle);
            let ix = ix.expect("it is drawn") as u32;
            let part = avatar
                .parts
                .iter()
                .find(|part| part.triangles.contains(&ix));
            part.expect("parts cover it").base_colour[0]
        };
        let reds: Vec<_> = before.iter().map(|&t| red_of(&avatar, t)).collect();
        avatar.set_aside(|ix| [1, 5, 6].contains(&ix));
        avatar.set_aside(|ix| ix == 0);
        assert_eq!(
            avatar.skin.triangles,
            [2, 3, 4, 7, 8, 9].map(|ix| before[ix])
        );
        assert_eq!(avatar.ornaments, [0, 1, 5, 6].map(|ix| before[ix]));
        let after: Vec<_> = before.iter().map(|&t| red_of(&avatar, t)).collect();
        assert_eq!(reds, after);
        avatar.validate().expect("parts cover body and ornaments");
        avatar.ornaments[0] = [u32::MAX; 3];
        assert!(avatar.validate().is_err());
    }
}
