//! Rigid things between a setup, a panel and a scene.

use glam::Mat4;
use radial_fields::scenes::{Prop, PropMotion};
use radial_fields::solid::{PlacedProp, SolidMaterial};

/// As a scene has it.
pub fn prop_of(placed: &PlacedProp) -> Prop {
    let turns = placed.turns_per_second;
    Prop {
        shape: placed.shape.solid(),
        world_from_solid: Mat4::from_translation(placed.at),
        material: SolidMaterial::default(),
        motion: match turns {
            0.0 => PropMotion::Stands,
            turns_per_second => PropMotion::Orbits { turns_per_second },
        },
        mesh: None,
    }
}

/// As a panel has it; none for a shape or a motion that no panel has, such as a mesh or a thing that is carried.
#[cfg(any(feature = "viewer", test))]
pub fn placed_of(prop: &Prop) -> Option<PlacedProp> {
    use radial_fields::solid::{PropShape, SolidShape};

    let turns_per_second = match prop.motion {
        PropMotion::Stands => 0.0,
        PropMotion::Orbits { turns_per_second } => turns_per_second,
        _ => return None,
    };
    let shape = match prop.shape {
        SolidShape::Sphere { radius } => PropShape::Sphere { radius },
        SolidShape::Capsule {
            half_length,
            radius,
        } => PropShape::Capsule {
            half_length,
            radius,
        },
        SolidShape::Box { half_size } => PropShape::Box {
            size: 2.0 * half_size,
        },
        SolidShape::Torus {
            radius,
            tube_radius,
        } => PropShape::Torus {
            radius,
            tube_radius,
        },
        SolidShape::HalfSpace | SolidShape::Field(_) => return None,
    };
    Some(PlacedProp {
        shape,
        at: prop.world_from_solid.w_axis.truncate(),
        turns_per_second,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use radial_fields::avatar::builtin;
    use radial_fields::scenes::find;

    #[test]
    fn a_scenes_props_come_back_as_they_were() {
        let scene = find("props").expect("it is in the list");
        for prop in (scene.props)(&builtin::load_mannequin()) {
            let placed = placed_of(&prop).expect("shapes with a formula");
            let again = prop_of(&placed);
            assert_eq!(again.world_from_solid, prop.world_from_solid);
            assert_eq!(again.motion, prop.motion);
            assert_eq!(placed_of(&again), Some(placed));
        }
    }
}
