//! What a person sees of the clothes, as a table.

use radial_fields::oracle::seen::{GarmentFigures, Summary};
use radial_fields::say;

/// Prints a line per garment and figure.
pub fn print(garments: &[GarmentFigures]) {
    say!(
        "{:<34}{:>10}{:>10}{:>10}",
        "seen",
        "median",
        "worst",
        "at end"
    );
    garments.iter().for_each(print_garment);
}

fn print_garment(garment: &GarmentFigures) {
    say!(
        "{}, {} triangles, {} particles",
        garment.name,
        garment.triangles,
        garment.particles
    );
    let rows: [(&str, &Summary, usize); 8] = [
        ("  deep triangles", &garment.deep, 0),
        ("  deep, body not in itself", &garment.deep_seen, 0),
        ("  bare skin, %", &garment.bare_percent, 2),
        ("  seen of it, %", &garment.bare_seen_percent, 2),
        ("  bare skin, cm2", &garment.bare_cm2, 0),
        ("  self-crossing triangles", &garment.self_crossings, 0),
        ("  crossing other garments", &garment.garment_crossings, 0),
        ("  particles under the ground", &garment.underground, 0),
    ];
    for (name, figure, digits) in rows {
        say!(
            "{name:<34}{:>10.digits$}{:>10.digits$}{:>10.digits$}",
            figure.median,
            figure.worst,
            figure.end
        );
    }
    for (name, torn) in [
        ("", garment.torn),
        (", body not in itself", garment.torn_seen),
    ] {
        say!(
            "  torn{name}: {:.1} % of the frames, at most {:.2} s at a time{}",
            torn.percent,
            torn.longest_seconds,
            if torn.at_end { ", and at the end" } else { "" }
        );
    }
    let stretch = garment.stretch;
    say!(
        "  edges over their rest length: 95 % {:.3}, 99 % {:.3}, most {:.2}; calm {:.2}, first frame {:.2}",
        stretch.p95,
        stretch.p99,
        stretch.max,
        stretch.calm_max,
        stretch.first_max
    );
    say!(
        "  touching cloth stands off: median {:.1} mm, 95 % {:.1} mm",
        garment.stand_off.median_mm,
        garment.stand_off.p95_mm
    );
}
