//! The debug views by name.

use super::{BodyColours, ClothColours, ShownStructure, SolidColours, ViewOptions};

impl ViewOptions {
    /// The usual combinations, by the names that flags and panels use; the first is the picture itself.
    pub const NAMED: [(&'static str, fn() -> Self); 10] = [
        ("lit", Self::default),
        ("fields", Self::fields),
        ("cylinders", Self::cylinders),
        ("structure", Self::structure),
        ("contacts", Self::contacts),
        ("penetration", Self::penetration),
        ("stretch", Self::stretch),
        ("bare", Self::bare),
        ("field_error", Self::field_error),
        ("wireframe", Self::wireframe),
    ];

    /// The view of that name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, make)| make())
    }

    /// Nothing but what the technique has.
    fn fields() -> Self {
        Self {
            show_body: false,
            show_cloth: false,
            structure: ShownStructure::ByDistance,
            ..Self::default()
        }
    }

    fn cylinders() -> Self {
        Self {
            show_cloth: false,
            broad_phase: true,
            ..Self::default()
        }
    }

    /// What the technique has, on the body.
    fn structure() -> Self {
        Self {
            show_cloth: false,
            structure: ShownStructure::ByField,
            ..Self::default()
        }
    }

    fn contacts() -> Self {
        Self {
            contacts: true,
            ..Self::default()
        }
    }

    fn penetration() -> Self {
        Self {
            cloth_colours: ClothColours::Penetration,
            ..Self::default()
        }
    }

    fn stretch() -> Self {
        Self {
            cloth_colours: ClothColours::Stretch,
            ..Self::default()
        }
    }

    fn bare() -> Self {
        Self {
            body_colours: BodyColours::Covered,
            ..Self::default()
        }
    }

    /// Nothing over the solids.
    fn field_error() -> Self {
        Self {
            show_cloth: false,
            solid_colours: SolidColours::Error,
            ..Self::default()
        }
    }

    fn wireframe() -> Self {
        Self {
            body_wireframe: true,
            cloth_wireframe: true,
            ..Self::default()
        }
    }
}
