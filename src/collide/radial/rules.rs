//! In what our radial fields differ from the paper's, change by change.
//!
//! The paper: Friston and Steed, *Real-Time Collision Detection for Deformable Characters with Radial Fields* (TVCG 2018). A field takes
//! the skin that its bone moves, by weight alone (section 5.1). Each cell keeps the nearest of it (5.2.1). Skin that faces the axis or
//! holds it is left out (5.2.2). All of it is drawn (5.2). A quad of cells with an empty corner is empty, and nothing closes a field's ends (6.3.1).
//!
//! What the paper leaves open, and what belongs to the collision that all techniques share, is ours in both: how axes are found, the mean
//! weight from which a triangle is a joint's, the bound that follows the pose, response iterations for particles that several fields
//! hold, and that putting out what was inside already gives it no speed.

use serde::{Deserialize, Serialize};

/// Which changes to the paper's fields are made. They are independent of one another: each can be made alone, or left out alone.
///
/// All bodies of a world have the same rules: shaders are compiled for them, so that what is left out costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRules {
    /// Triangles join a field by weight only where its axis sees them in the bind pose. Without it the pelvis has the inner thighs, and
    /// the palm the sides of the fingers.
    pub sight: bool,
    /// Skin that an axis sees when joints bend joins its field, whatever its weight. Without it fields have holes where limbs meet.
    pub borrowing: bool,
    /// A joint that carries several things gets several fields: a head with horns. Only bodies of many shells have such joints.
    pub parts: bool,
    /// Thin limbs have finer cells: no larger than half their mean radius. Without it fingers are prisms of few cells.
    pub fine_limbs: bool,
    /// Where an axis leaves the body at a tip, the field closes onto the axis. Without it tips of fingers and the crown are open.
    pub caps: bool,
    /// A cell keeps the furthest skin that is mostly its joint's, and only without any of it the nearest of other skin. Without it the
    /// nearest skin counts, which in folds is that of another limb.
    pub ranks: bool,
    /// Skin that faces the axis is kept too: a cell whose nearest skin it is holds nothing. Without it such skin is left out, and a
    /// bent axis that has run out of the body holds the air before the next limb.
    pub entries: bool,
    /// Skin near an axis is drawn by the ray of each cell, and distances are held between those of the edges. Without it skin that
    /// holds the axis is left out, and distances are held between those of the corners.
    pub axis_rays: bool,
    /// Each half of a quad of cells holds skin if its own three corners do. Without it one empty corner empties the quad.
    pub half_cells: bool,
    /// Rows that a row with next to no skin parts from the joint's own hold nothing. Without it an axis that has run out of the body holds the
    /// air before skin of which the field has the far side alone: a shoulder pushes a collar away.
    pub one_piece: bool,
    /// Where fields are drawn, triangles of few cells are written by a compute shader instead. Without it all are drawn: raster units are
    /// at their worst with triangles smaller than a cell. Changes no cell but by roundings at edges, and nothing where fields are computed.
    pub small_computed: bool,
}

/// One of the [`FieldRules`].
#[derive(Clone, Copy, Debug)]
pub struct FieldRule {
    /// The name in flags and tables.
    pub name: &'static str,
    /// What it changes, in a line.
    pub about: &'static str,
    /// The switch itself.
    pub switch: fn(&mut FieldRules) -> &mut bool,
}

impl FieldRules {
    /// The paper's own fields.
    pub const PAPER: Self = Self {
        sight: false,
        borrowing: false,
        parts: false,
        fine_limbs: false,
        caps: false,
        ranks: false,
        entries: false,
        axis_rays: false,
        half_cells: false,
        one_piece: false,
        small_computed: false,
    };

    /// Ours, the default.
    pub const SHIPPED: Self = Self {
        sight: true,
        borrowing: true,
        parts: true,
        fine_limbs: true,
        caps: true,
        ranks: true,
        entries: true,
        axis_rays: true,
        half_cells: true,
        one_piece: true,
        small_computed: true,
    };

    /// Every change by its name.
    pub const ALL: [FieldRule; 11] = [
        rule(
            "sight",
            "skin joins by weight only where the axis sees it",
            |rules| &mut rules.sight,
        ),
        rule(
            "borrowing",
            "skin that bent joints bring before the axis joins too",
            |rules| &mut rules.borrowing,
        ),
        rule(
            "parts",
            "several fields where a joint carries several things",
            |rules| &mut rules.parts,
        ),
        rule("fine_limbs", "finer cells on thin limbs", |rules| {
            &mut rules.fine_limbs
        }),
        rule("caps", "fields close onto the axis at tips", |rules| {
            &mut rules.caps
        }),
        rule(
            "ranks",
            "cells keep the joint's own outermost skin first",
            |rules| &mut rules.ranks,
        ),
        rule(
            "entries",
            "skin that faces the axis empties cells",
            |rules| &mut rules.entries,
        ),
        rule(
            "axis_rays",
            "skin round the axis is drawn ray by ray",
            |rules| &mut rules.axis_rays,
        ),
        rule("half_cells", "an empty cell empties half a quad", |rules| {
            &mut rules.half_cells
        }),
        rule(
            "one_piece",
            "rows that a row without skin parts from the joint's own are empty",
            |rules| &mut rules.one_piece,
        ),
        rule(
            "small_computed",
            "triangles of few cells are not drawn but computed",
            |rules| &mut rules.small_computed,
        ),
    ];

    /// The same with one more change made.
    #[must_use]
    pub fn with(mut self, rule: &FieldRule) -> Self {
        *(rule.switch)(&mut self) = true;
        self
    }

    /// Whether a change is made.
    pub fn has(mut self, rule: &FieldRule) -> bool {
        *(rule.switch)(&mut self)
    }
}

const fn rule(
    name: &'static str,
    about: &'static str,
    switch: fn(&mut FieldRules) -> &mut bool,
) -> FieldRule {
    FieldRule {
        name,
        about,
        switch,
    }
}

impl Default for FieldRules {
    fn default() -> Self {
        Self::SHIPPED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_none_of_the_changes_and_all_of_them_together_are_shipped() {
        let all = FieldRules::ALL.iter();
        assert!(all.clone().all(|rule| !FieldRules::PAPER.has(rule)));
        let every = all.fold(FieldRules::PAPER, |rules, rule| rules.with(rule));
        assert_eq!(every, FieldRules::default());
    }

    #[test]
    fn each_name_switches_one_rule_of_its_own() {
        for (ix, rule) in FieldRules::ALL.iter().enumerate() {
            let alone = FieldRules::PAPER.with(rule);
            let made = FieldRules::ALL.map(|other| alone.has(&other));
            assert_eq!(
                made,
                std::array::from_fn(|other| other == ix),
                "{}",
                rule.name
            );
        }
    }
}
