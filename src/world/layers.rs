//! Garments that others are worn over: each has radial fields of its own, by which what lies over it meets it as it meets a body.
//!
//! Contacts between cloth know what is within a few millimetres, and not which way out leads home once cloth is through. A field
//! does: it says how far out the garment beneath is, all round a limb.

use std::ops::Range;
use std::sync::Arc;

use super::contents::{GarmentContents, WorldContents};
use super::{Simulation, TechniqueDesc};
use crate::gpu::{Access, BufferSlice, Recorder};
use crate::skin::ClothState;
use crate::stage::Stage;

/// Which garments of a world have fields, and which garments meet them.
pub(super) struct Layers {
    /// Indices of the garments that others lie over, body by body, the innermost first.
    pub covered: Vec<usize>,
    /// One per garment: those that lie beneath it, among the bodies, behind which they come in this order.
    pub beneath: Vec<Range<u32>>,
}

impl Layers {
    /// None has any, as where cloth does not meet cloth.
    pub fn none(contents: &WorldContents) -> Self {
        Self {
            covered: Vec::new(),
            beneath: vec![0..0; contents.garments.len()],
        }
    }

    /// A garment that lies over others, by its [`Garment::layered`](crate::cloth::garment::Garment::layered), meets those before it on its body.
    pub fn of(contents: &WorldContents) -> Self {
        let mut layers = Self::none(contents);
        let mut worn: Vec<Vec<usize>> = vec![Vec::new(); contents.bodies.len()];
        for (garment_ix, garment) in contents.garments.iter().enumerate() {
            worn[garment.body_ix].push(garment_ix);
        }
        let lies_over = |ix: usize| contents.garments[ix].worn.cut.garment.lies_over();
        for worn in worn {
            let first = (contents.bodies.len() + layers.covered.len()) as u32;
            let Some(outermost) = worn.iter().rposition(|&ix| lies_over(ix)) else {
                continue;
            };
            layers.covered.extend(&worn[..outermost]);
            for (rank, &garment_ix) in worn.iter().enumerate().filter(|(_, ix)| lies_over(**ix)) {
                layers.beneath[garment_ix] = first..first + rank as u32;
            }
        }
        layers
    }

    /// The covered garments.
    pub fn garments<'a>(
        &'a self,
        contents: &'a WorldContents,
    ) -> impl Iterator<Item = &'a GarmentContents> {
        self.covered.iter().map(|&ix| &contents.garments[ix])
    }

    /// Whether the same garments are covered on bodies in the same places: then their fields are the same.
    pub fn are_those_of(
        &self,
        contents: &WorldContents,
        other: &Self,
        of_other: &WorldContents,
    ) -> bool {
        let mut pairs = self.garments(contents).zip(other.garments(of_other));
        let is_same = |(a, b): (&GarmentContents, &GarmentContents)| {
            a.body_ix == b.body_ix && Arc::ptr_eq(&a.worn.cut, &b.worn.cut)
        };
        self.covered.len() == other.covered.len() && pairs.all(is_same)
    }
}

impl TechniqueDesc {
    /// The garments of a world that have fields of their own.
    pub(super) fn layers(&self, contents: &WorldContents, meets_cloth: bool) -> Layers {
        let has_any = meets_cloth && self.layer_fields && self.technique.is_radial();
        match has_any {
            true => Layers::of(contents),
            false => Layers::none(contents),
        }
    }
}

impl Simulation {
    /// Puts garments that others are worn over among the skin, if there are any.
    pub(crate) fn record_worn_skin(&self, recorder: &mut Recorder, starts: BufferSlice) {
        let Some(worn) = &self.worn_skin else { return };
        let cloth = ClothState {
            particles: self.cloth.particles(),
            positions: self.cloth.positions(),
            starts,
        };
        recorder.stage(Stage::Bake, |recorder| {
            worn.record(recorder, &self.pipelines.skin, &self.skin, &cloth);
        });
        recorder.barrier(
            &[Access::ComputeWrite],
            &[Access::VertexRead, Access::ComputeReadWrite],
        );
    }
}

#[cfg(all(test, feature = "authoring"))]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::cloth::garment::{Garment, GarmentKind, make};
    use crate::world::{BodyDef, GarmentDef};

    /// So many copies of a character in some garments.
    fn worn(garments: &[Garment], copies: usize) -> WorldContents {
        let avatar = load_mannequin();
        let mut contents = WorldContents::default();
        for body_ix in 0..copies {
            contents
                .add_body(&BodyDef::new(&avatar))
                .expect("it is sound");
            for garment in garments {
                let def = GarmentDef::new(garment, body_ix);
                contents.add_garment(&def).expect("it is sound");
            }
        }
        contents
    }

    /// Trousers, a top and a coat over them.
    static COAT_OVER_ALL: LazyLock<Vec<Garment>> = LazyLock::new(|| {
        let kind = GarmentKind::OvercoatOverAll;
        make(kind, &load_mannequin(), 1500).expect("it is a humanoid")
    });

    #[test]
    fn garments_meet_what_they_are_worn_over() {
        let layers = Layers::of(&worn(&COAT_OVER_ALL, 2));
        assert_eq!(layers.covered, [0, 1, 3, 4]);
        // A top's hem hangs beside trousers, not over them.
        assert_eq!(layers.beneath, [0..0, 0..0, 2..4, 0..0, 0..0, 4..6]);
    }

    #[test]
    fn what_lies_over_nothing_meets_nothing() {
        let [trousers, top, coat] = &COAT_OVER_ALL[..] else {
            panic!("it is three garments");
        };
        for garments in [[coat.clone(), top.clone()], [trousers.clone(), top.clone()]] {
            let layers = Layers::of(&worn(&garments, 1));
            assert!(layers.covered.is_empty(), "{:?}", layers.covered);
            assert!(
                layers.beneath.iter().all(Range::is_empty),
                "{:?}",
                layers.beneath
            );
        }
    }

    #[test]
    fn copies_share_the_fields_of_what_is_covered() {
        let contents = worn(&COAT_OVER_ALL, 2);
        let layers = Layers::of(&contents);
        let cuts: Vec<_> = layers.garments(&contents).map(|g| &g.worn.cut).collect();
        assert!(Arc::ptr_eq(cuts[0], cuts[2]) && Arc::ptr_eq(cuts[1], cuts[3]));
        let fields = cuts[0].fields().expect("they are small");
        assert!(fields.fields.len() > 2, "{} fields", fields.fields.len());
        assert!(Arc::ptr_eq(
            fields,
            cuts[2].fields().expect("they are small")
        ));
    }

    #[test]
    fn layers_are_the_same_where_the_same_is_covered() {
        let before = worn(&COAT_OVER_ALL, 2);
        let mut after = before.clone();
        let is_same = |after: &WorldContents| {
            Layers::of(after).are_those_of(after, &Layers::of(&before), &before)
        };
        assert!(is_same(&after));
        after.remove_garment(5).expect("there are six");
        assert!(!is_same(&after), "a coat less");
    }
}
