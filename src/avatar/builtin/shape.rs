//! The solids a figure is modelled from, as approximate signed distances in bind space.
//!
//! Negative inside. Near the surface a value is close to the true distance; far away it is a lower bound, which is
//! all that meshing and weighting need. Only sums, products and square roots: the same bits on every machine.

use glam::Vec3;

/// A solid with its bounding sphere.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    kind: Kind,
    centre: Vec3,
    radius: f32,
}

#[derive(Clone, Debug)]
enum Kind {
    Ellipsoid {
        frame: Frame,
        radii: Vec3,
    },
    RoundCone {
        from: Vec3,
        to: Vec3,
        from_radius: f32,
        to_radius: f32,
    },
    Loft {
        frame: Frame,
        sections: Vec<Section>,
        from_cap: f32,
        to_cap: f32,
    },
    Band {
        frame: Frame,
        half_width: f32,
        radius: f32,
    },
}

/// A right-handed orthonormal frame: `side` × `front` = `along`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub origin: Vec3,
    pub side: Vec3,
    pub front: Vec3,
    pub along: Vec3,
}

impl Frame {
    /// Axes of the world: side +X, front +Z, along -Y.
    pub fn upright(origin: Vec3) -> Self {
        Self::looking(origin, Vec3::NEG_Y, Vec3::Z)
    }

    /// `along` given, `front` as near to the given one as it can be. They must not be parallel.
    pub fn looking(origin: Vec3, along: Vec3, front: Vec3) -> Self {
        let along = along.normalize();
        let front = (front - along * front.dot(along)).normalize();
        Self {
            origin,
            side: front.cross(along),
            front,
            along,
        }
    }

    /// The point with these coordinates along side, front and along.
    pub fn point(&self, side: f32, front: f32, along: f32) -> Vec3 {
        self.origin + self.side * side + self.front * front + self.along * along
    }

    fn coordinates(&self, p: Vec3) -> Vec3 {
        let d = p - self.origin;
        Vec3::new(d.dot(self.side), d.dot(self.front), d.dot(self.along))
    }
}

/// A cross section of a loft: four quarter ellipses about a centre, in the loft's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Metres from the frame's origin.
    pub along: f32,
    /// Radii towards +side, -side, +front and -front.
    pub radii: [f32; 4],
    /// Offset of the centre towards side and front.
    pub centre: [f32; 2],
    /// 0 = ellipse, 1 = superellipse of the fourth power.
    pub squareness: f32,
}

impl Section {
    /// A section with equal radii to both sides.
    pub fn even(along: f32, side: f32, front: f32, back: f32, centre_front: f32) -> Self {
        Self {
            along,
            radii: [side, side, front, back],
            centre: [0.0, centre_front],
            squareness: 0.0,
        }
    }

    /// A section about the axis with four radii: +side, -side, +front, -front.
    pub fn four(along: f32, radii: [f32; 4]) -> Self {
        Self {
            along,
            radii,
            centre: [0.0, 0.0],
            squareness: 0.0,
        }
    }

    pub fn square(self, squareness: f32) -> Self {
        Self { squareness, ..self }
    }

    pub fn at(self, side: f32, front: f32) -> Self {
        Self {
            centre: [side, front],
            ..self
        }
    }

    fn numbers(&self) -> [f32; 7] {
        let [a, b, c, d] = self.radii;
        [a, b, c, d, self.centre[0], self.centre[1], self.squareness]
    }
}

impl Shape {
    pub fn ellipsoid(frame: Frame, radii: Vec3) -> Self {
        Self {
            centre: frame.origin,
            radius: radii.max_element(),
            kind: Kind::Ellipsoid { frame, radii },
        }
    }

    pub fn ball(centre: Vec3, radius: f32) -> Self {
        Self::ellipsoid(Frame::upright(centre), Vec3::splat(radius))
    }

    pub fn round_cone(from: Vec3, to: Vec3, from_radius: f32, to_radius: f32) -> Self {
        let radius = 0.5 * from.distance(to) + from_radius.max(to_radius);
        let kind = Kind::RoundCone {
            from,
            to,
            from_radius,
            to_radius,
        };
        Self {
            kind,
            centre: 0.5 * (from + to),
            radius,
        }
    }

    /// A skin stretched over cross sections, closed by half ellipsoids of the given heights.
    ///
    /// Sections must be in order of `along`, at least two of them.
    pub fn loft(frame: Frame, sections: Vec<Section>, from_cap: f32, to_cap: f32) -> Self {
        let (first, last) = (
            sections[0].along - from_cap,
            sections[sections.len() - 1].along + to_cap,
        );
        let widest = sections.iter().map(|s| {
            let [a, b, c, d] = s.radii;
            let [u, v] = s.centre;
            Vec3::new(a.max(b) + u.abs(), c.max(d) + v.abs(), 0.0).length()
        });
        let widest = widest.fold(0.0, f32::max);
        let half = 0.5 * (last - first);
        Self {
            centre: frame.point(0.0, 0.0, first + half),
            radius: (half * half + widest * widest).sqrt(),
            kind: Kind::Loft {
                frame,
                sections,
                from_cap,
                to_cap,
            },
        }
    }

    /// The slab of points within `half_width` of a plane and within `radius` of the frame's origin.
    pub fn band(frame: Frame, half_width: f32, radius: f32) -> Self {
        Self {
            centre: frame.origin,
            radius,
            kind: Kind::Band {
                frame,
                half_width,
                radius,
            },
        }
    }

    /// Signed distance, or if that is known to be more than `reach`, any number between `reach` and it.
    pub fn distance(&self, p: Vec3, reach: f32) -> f32 {
        let from_centre = p.distance_squared(self.centre);
        let far = self.radius + reach;
        if from_centre > far * far {
            return from_centre.sqrt() - self.radius;
        }
        match &self.kind {
            Kind::Ellipsoid { frame, radii } => ellipsoid(frame.coordinates(p), *radii),
            Kind::RoundCone {
                from,
                to,
                from_radius,
                to_radius,
            } => round_cone(p, *from, *to, *from_radius, *to_radius),
            Kind::Loft {
                frame,
                sections,
                from_cap,
                to_cap,
            } => loft(frame.coordinates(p), sections, *from_cap, *to_cap),
            Kind::Band {
                frame,
                half_width,
                radius,
            } => (frame.coordinates(p).z.abs() - half_width).max(p.distance(frame.origin) - radius),
        }
    }
}

fn ellipsoid(p: Vec3, radii: Vec3) -> f32 {
    let scaled = p / radii;
    let level = scaled.length();
    first_order(
        level,
        (scaled / radii).length() / level.max(1e-6),
        radii.min_element(),
    )
}

/// Distance to the level set `level = 1` from the level's value and the length of its gradient.
fn first_order(level: f32, slope: f32, smallest_radius: f32) -> f32 {
    if level < 0.3 {
        return (level - 1.0) * smallest_radius;
    }
    ((level - 1.0) / slope.max(1e-6)).max(-smallest_radius)
}

/// Distance to the hull of two balls, except that the mantle's slope is taken as small.
fn round_cone(p: Vec3, from: Vec3, to: Vec3, from_radius: f32, to_radius: f32) -> f32 {
    let axis = to - from;
    let t = ((p - from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
    p.distance(from + axis * t) - (from_radius + (to_radius - from_radius) * t)
}

fn loft(p: Vec3, sections: &[Section], from_cap: f32, to_cap: f32) -> f32 {
    let (first, last) = (sections[0].along, sections[sections.len() - 1].along);
    let [right, left, front, back, u, v, squareness] = section_at(sections, p.z.clamp(first, last));
    let radius_u = if p.x > u { right } else { left };
    let radius_v = if p.y > v { front } else { back };
    let radius_w = if p.z < first { from_cap } else { to_cap };
    let past_end = p.z - p.z.clamp(first, last);
    let scaled = Vec3::new(
        (p.x - u) / radius_u,
        (p.y - v) / radius_v,
        past_end / radius_w,
    );
    let radii = Vec3::new(radius_u, radius_v, radius_w);
    let round = scaled.length().max(1e-6);
    let round_slope = (scaled / radii).length() / round;
    let smallest = radius_u.min(radius_v);
    if squareness == 0.0 {
        return first_order(round, round_slope, smallest);
    }
    let squares = scaled * scaled;
    let boxy = squares.length().sqrt().max(1e-6);
    let boxy_slope = (squares * scaled / radii).length() / (boxy * boxy * boxy);
    let mix = |a: f32, b: f32| a + (b - a) * squareness;
    first_order(mix(round, boxy), mix(round_slope, boxy_slope), smallest)
}

/// Interpolates the sections' numbers: cubic, smooth, and without overshoot (Fritsch and Butland's slopes).
fn section_at(sections: &[Section], along: f32) -> [f32; 7] {
    let last = sections.len() - 2;
    let i = sections[1..=last]
        .iter()
        .take_while(|s| s.along <= along)
        .count();
    let before = sections[i.saturating_sub(1)];
    let (s0, s1) = (sections[i], sections[i + 1]);
    let after = sections[(i + 2).min(last + 1)];
    let h = s1.along - s0.along;
    let t = (along - s0.along) / h;
    let (nb, n0, n1, na) = (
        before.numbers(),
        s0.numbers(),
        s1.numbers(),
        after.numbers(),
    );
    std::array::from_fn(|k| {
        let slope = (n1[k] - n0[k]) / h;
        let m0 = if i == 0 {
            slope
        } else {
            shared_slope((n0[k] - nb[k]) / (s0.along - before.along), slope)
        };
        let m1 = if i == last {
            slope
        } else {
            shared_slope(slope, (na[k] - n1[k]) / (after.along - s1.along))
        };
        hermite(t, h, n0[k], n1[k], m0, m1)
    })
}

/// The slope at a knot between two secants: their harmonic mean, or zero at an extremum.
fn shared_slope(a: f32, b: f32) -> f32 {
    if a * b <= 0.0 {
        0.0
    } else {
        2.0 * a * b / (a + b)
    }
}

fn hermite(t: f32, h: f32, from: f32, to: f32, from_slope: f32, to_slope: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + to * (3.0 * t2 - 2.0 * t3)
        + h * (from_slope * (t3 - 2.0 * t2 + t) + to_slope * (t3 - t2))
}

/// The smaller of two distances, rounded off where they are within `radius` of each other (twice differentiable).
pub(super) fn smooth_min(a: f32, b: f32, radius: f32) -> f32 {
    let overlap = (radius - (a - b).abs()).max(0.0);
    if overlap == 0.0 {
        return a.min(b);
    }
    let h = overlap / radius;
    a.min(b) - h * h * h * radius / 6.0
}

/// 0 up to `from`, 1 from `to` on, smooth between.
pub(super) fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
