use std::f32::consts::TAU;

use glam::Vec2;
use proptest::prelude::*;

use super::*;

/// Metres: what coordinates of a metre round by, some times over.
const ROUNDING: f32 = 3e-6;

fn a_place() -> impl Strategy<Value = Vec3> {
    (-0.4f32..0.4, -0.4f32..0.4, -0.4f32..0.4).prop_map(Vec3::from)
}

fn a_normal() -> impl Strategy<Value = Vec3> {
    (0.0..TAU, -1.0f32..1.0).prop_map(|(turn, height)| {
        let across = Vec2::from_angle(turn) * (1.0 - height * height).sqrt();
        across.extend(height).normalize()
    })
}

/// `max_distance` beyond whatever a backstop does: the two are not at odds.
fn at_ease() -> impl Strategy<Value = MotionConstraint> {
    (0.0f32..0.02, 0.005f32..0.05, 0.25f32..0.4).prop_map(|(distance, radius, max_distance)| {
        MotionConstraint {
            max_distance,
            backstop_distance: distance,
            backstop_radius: radius,
        }
    })
}

/// Any, with a backstop.
fn any_constraint() -> impl Strategy<Value = MotionConstraint> {
    (0.0f32..0.05, 0.005f32..0.1, 0.0f32..0.4).prop_map(|(distance, radius, max_distance)| {
        MotionConstraint {
            max_distance,
            backstop_distance: distance,
            backstop_radius: radius,
        }
    })
}

/// A constraint, where skinning puts the particle, with which normal, and where the particle is.
#[derive(Clone, Copy, Debug)]
struct Case {
    constraint: MotionConstraint,
    target: Vec3,
    normal: Vec3,
    position: Vec3,
}

fn a_case(constraint: impl Strategy<Value = MotionConstraint>) -> impl Strategy<Value = Case> {
    let parts = (constraint, a_place(), a_normal(), a_place());
    parts.prop_map(|(constraint, target, normal, position)| Case {
        constraint,
        target,
        normal,
        position,
    })
}

impl Case {
    fn allowed(&self, position: Vec3) -> Vec3 {
        let Self {
            constraint,
            target,
            normal,
            ..
        } = *self;
        constraint.allowed_place(1.0, target, normal, position)
    }

    fn is_through(&self, position: Vec3) -> bool {
        let Self {
            constraint,
            target,
            normal,
            ..
        } = *self;
        constraint.is_through(1.0, target, normal, position)
    }

    fn middle(&self) -> Vec3 {
        let MotionConstraint {
            backstop_distance,
            backstop_radius,
            ..
        } = self.constraint;
        self.target - self.normal * (backstop_distance + backstop_radius)
    }

    /// Metres ahead of the ball's middle, along the normal.
    fn ahead(&self, position: Vec3) -> f32 {
        (position - self.middle()).dot(self.normal)
    }

    /// Metres outside of the ball; negative inside.
    fn clear(&self, position: Vec3) -> f32 {
        position.distance(self.middle()) - self.constraint.backstop_radius
    }
}

proptest! {
    #[test]
    fn an_allowed_place_is_allowed(case in a_case(any_constraint())) {
        let place = case.allowed(case.position);
        prop_assert!(case.clear(place) > -ROUNDING);
        let beyond = place.distance(case.target) - case.constraint.max_distance;
        // The backstop has the last word.
        prop_assert!(beyond < ROUNDING || case.clear(place) < ROUNDING || case.ahead(place) < ROUNDING);
        prop_assert_eq!(case.allowed(case.target), case.target);
    }

    #[test]
    fn what_is_allowed_stays(case in a_case(at_ease())) {
        let place = case.allowed(case.position);
        prop_assert!(place.distance(case.target) < case.constraint.max_distance + ROUNDING);
        prop_assert!(case.allowed(place).distance(place) < ROUNDING);
    }

    #[test]
    fn no_particle_leaves_the_backstop_by_its_back(case in a_case(at_ease()), depth in 0.0f32..0.99) {
        // Somewhere in the ball.
        let offset = (case.position - case.target).normalize_or(Vec3::X);
        let position = case.middle() + offset * case.constraint.backstop_radius * depth;
        let place = case.allowed(position);
        prop_assert!(case.ahead(place) > case.ahead(position).max(0.0) - ROUNDING);
    }

    #[test]
    fn whoever_goes_home_gets_to_the_front(case in a_case(any_constraint())) {
        let home = case.allowed(case.position);
        prop_assert!(case.ahead(home) > -ROUNDING);
        prop_assert!(case.clear(home) > -ROUNDING);
        prop_assert!(!case.is_through(home));
        if case.ahead(case.allowed(case.position)) > 0.0 {
            prop_assert!(home.distance(case.allowed(case.position)) < ROUNDING);
        }
    }

    #[test]
    fn only_what_is_straight_behind_is_through(case in a_case(any_constraint())) {
        let (radius, ahead) = (case.constraint.backstop_radius, case.ahead(case.position));
        let aside = (case.position - case.middle()).reject_from(case.normal).length();
        let sure = 1.0 + 1e-4;
        if case.is_through(case.position) {
            prop_assert!(-ahead * sure > 0.5 * radius && -ahead * sure > aside);
        } else {
            prop_assert!(-ahead < 0.5 * radius * sure || -ahead < aside * sure);
        }
        let free = MotionConstraint { backstop_radius: 0.0, ..case.constraint };
        prop_assert!(!free.is_through(1.0, case.target, case.normal, case.position));
        prop_assert!(!case.constraint.is_through(0.0, case.target, case.normal, case.position));
    }

    #[test]
    fn switched_off_nothing_is_moved(case in a_case(any_constraint())) {
        let Case { constraint, target, normal, position } = case;
        prop_assert_eq!(constraint.allowed_place(0.0, target, normal, position), position);
        let free = MotionConstraint::default();
        prop_assert!(free.allowed_place(1.0, target, normal, position).distance(position) < ROUNDING);
    }

    #[test]
    fn on_the_ground_is_not_under_it(
        from in a_place(), position in a_place(), normal in a_normal(),
        height in -0.3f32..0.3, thickness in 0.0f32..0.02, friction in 0.0f32..1.5,
    ) {
        let ground = normal.extend(height);
        let place = above_ground(ground, thickness, friction, from, position);
        let above = |place: Vec3| normal.dot(place) - height - thickness;
        prop_assert!(above(place) > -ROUNDING);
        prop_assert!(above_ground(ground, thickness, friction, from, place).distance(place) < 2.0 * ROUNDING);
        if above(position) > 0.0 {
            prop_assert_eq!(place, position);
        } else {
            // Friction shortens the slip by at most its share of the push, and never turns it round.
            let slip = |to: Vec3| (to - from).reject_from_normalized(normal);
            let lost = slip(position).length() - slip(place).length();
            let most = friction * -above(position);
            prop_assert!((lost - most.min(slip(position).length())).abs() < 2.0 * ROUNDING);
            prop_assert!(slip(place).dot(slip(position)) >= -ROUNDING);
        }
    }
}

#[test]
fn without_ground_nothing_rests() {
    let deep = Vec3::new(0.0, -1e6, 0.0);
    let none = crate::cloth::Ground::words(None);
    assert_eq!(above_ground(none, 0.01, 1.0, Vec3::ZERO, deep), deep);
}

/// A closed tube round the y axis, from `low` to `high`, of so many rings of so many vertices.
fn tube(radius: f32, low: f32, high: f32, [rings, round]: [u32; 2]) -> SkinMesh {
    let around = |ix: u32| Vec2::from_angle((ix % round) as f32 * TAU / round as f32);
    let rise = |ring: u32| low + (high - low) * ring as f32 / (rings - 1) as f32;
    let at = |ix: u32| {
        let across = around(ix) * radius;
        Vec3::new(across.x, rise(ix / round), -across.y)
    };
    let mut positions: Vec<_> = (0..round * rings).map(at).collect();
    let normal = |position: &Vec3| (*position * (Vec3::ONE - Vec3::Y)).normalize_or(Vec3::Y);
    let [bottom, top] = [round * rings, round * rings + 1];
    positions.extend([Vec3::Y * low, Vec3::Y * high]);
    let mut triangles = Vec::new();
    for i in 0..round {
        let next = (i + 1) % round;
        let last = round * (rings - 1);
        triangles.extend([[bottom, next, i], [top, last + i, last + next]]);
        for ring in 0..rings - 1 {
            let [a, b] = [i, next].map(|ix| ring * round + ix);
            triangles.extend([[a, b, b + round], [a, b + round, a + round]]);
        }
    }
    SkinMesh {
        normals: positions.iter().map(normal).collect(),
        positions,
        triangles,
        ..SkinMesh::default()
    }
}

/// The constraints of cloth in the shape of a tube round a person's body in the shape of another.
fn fitted(body_radius: f32, cloth_radius: f32, scale: f32) -> Garment {
    let skin = tube(body_radius * scale, 0.0, PERSON_HEIGHT * scale, [40, 64]);
    let mut garment = Garment {
        name: String::new(),
        mesh: tube(cloth_radius * scale, 0.61 * scale, 1.2 * scale, [7, 17]),
        attachments: Vec::new(),
        rest_positions: Vec::new(),
        clearances: Vec::new(),
        layered: Default::default(),
        motion: Vec::new(),
        drawn: None,
        base_colour: [1.0; 4],
    };
    // Without its lids.
    let count = garment.mesh.positions.len() - 2;
    garment.mesh.positions.truncate(count);
    garment.mesh.normals.truncate(count);
    garment
        .mesh
        .triangles
        .retain(|triangle| triangle.iter().all(|&ix| (ix as usize) < count));
    MotionConstraint::fit(&mut garment, &skin);
    assert_eq!(garment.motion.len(), count);
    garment
}

#[test]
fn backstops_lie_inside_the_body() {
    for (body_radius, cloth_radius) in [(0.1, 0.11), (0.1, 0.14), (0.04, 0.05), (0.025, 0.03)] {
        let garment = fitted(body_radius, cloth_radius, 1.0);
        let places = garment.mesh.positions.iter().zip(&garment.mesh.normals);
        for ((position, normal), constraint) in places.zip(&garment.motion) {
            assert!(constraint.is_valid());
            let radius = constraint.backstop_radius;
            assert!(RADII.contains(&radius), "{constraint:?}");
            let middle = *position - normal * (constraint.backstop_distance + radius);
            let from_axis = Vec2::new(middle.x, middle.z).length();
            let depth = body_radius - from_axis - radius;
            // The tube's sides are flat between corners: 0.1 % nearer to the axis.
            assert!(
                depth > -2e-3 * body_radius,
                "{constraint:?} sticks out by {depth} m"
            );
            let below = constraint.backstop_distance - (cloth_radius - body_radius);
            assert!(
                (below - BELOW_SKIN).abs() < 1e-3,
                "begins {below} m below the skin"
            );
        }
    }
}

#[test]
fn cloth_far_from_the_body_or_round_what_is_too_thin_has_no_backstop() {
    for (body_radius, cloth_radius) in [(0.1, 0.25), (0.012, 0.02)] {
        for constraint in fitted(body_radius, cloth_radius, 1.0).motion {
            assert_eq!(constraint.backstop_radius, 0.0);
            assert!(constraint.max_distance >= SLIDE);
        }
    }
}

#[test]
fn cloth_that_hangs_off_the_body_may_swing_further() {
    let [near, far] = [0.11, 0.25].map(|radius| fitted(0.1, radius, 1.0).motion[99].max_distance);
    assert!((near - SLIDE).abs() < 1e-6);
    assert!(
        (far - SLIDE - SWING * (0.15 - 0.5 * NEAR)).abs() < 2e-3,
        "{far} m"
    );
}

/// A skirt as wide as it is long: near the skin it slides little further than its neighbours, and swings freely where it hangs.
#[test]
fn near_the_skin_neighbours_may_slide_about_as_far() {
    let skin = tube(0.1, 0.0, PERSON_HEIGHT, [40, 64]);
    let mut flared = fitted(0.1, 0.11, 1.0);
    for position in &mut flared.mesh.positions {
        let wider = 1.0 + 2.0 * (1.2 - position.y);
        *position *= Vec3::new(wider, 1.0, wider);
    }
    MotionConstraint::fit(&mut flared, &skin);
    let most = SLIDE + 0.5 * SWING * NEAR;
    let mesh = &flared.mesh;
    let (mut graded_count, mut free_count) = (0, 0);
    for &(a, b) in edges(&mesh.triangles).keys() {
        let [from, to] = [a, b].map(|ix| flared.motion[ix as usize].max_distance);
        let way = mesh.positions[a as usize].distance(mesh.positions[b as usize]);
        let is_even = (from - to).abs() <= SLIDES_FURTHER * way + 1e-6;
        if from.max(to) <= most {
            assert!(is_even, "{from} m and {to} m, {way} m apart");
            graded_count += usize::from(from != to);
        }
        free_count += usize::from(from.min(to) > most && !is_even);
    }
    assert!(
        graded_count > 10 && free_count > 10,
        "{graded_count}, {free_count}"
    );
}

#[test]
fn a_giants_constraints_are_in_proportion() {
    let (usual, giant) = (fitted(0.1, 0.12, 1.0), fitted(0.1, 0.12, 2.5));
    for (usual, giant) in usual.motion.iter().zip(&giant.motion) {
        let lengths = |of: &MotionConstraint| {
            Vec3::new(of.max_distance, of.backstop_distance, of.backstop_radius)
        };
        let difference = lengths(giant) / 2.5 - lengths(usual);
        assert!(
            difference.abs().max_element() < 2e-4,
            "{usual:?}, {giant:?}"
        );
    }
}

#[test]
fn what_hangs_free_keeps_clear_of_limbs_only_where_cloth_does_not_meet_cloth() {
    let skin = tube(0.1, 0.0, PERSON_HEIGHT, [40, 64]);
    for (cloth_radius, is_free) in [(0.11, false), (0.2, true)] {
        let mut garment = fitted(0.1, cloth_radius, 1.0);
        garment.clearances.fill(0.05);
        MotionConstraint::fit(&mut garment, &skin);
        assert!(garment.clearances.iter().all(|&clearance| clearance == 0.0));
        for (constraint, ix) in garment.motion.iter().zip(0..) {
            let is_without_backstop = constraint.backstop_radius == 0.0;
            assert_eq!(is_without_backstop, is_free, "{constraint:?}");
            let kept = garment.layered.get(&ix).map(|layered| layered.clearance);
            assert_eq!(kept, is_free.then_some(0.05));
        }
    }
}
