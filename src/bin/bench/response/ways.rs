//! What is played.

use std::sync::Arc;

use anyhow::Context as _;
use glam::{Mat4, Vec2, Vec3};
use radial_fields::avatar::{Avatar, Joint, MAX_INFLUENCES, Node, Part, Skeleton, SkinMesh};
use radial_fields::avatar::{Transform, builtin};
use radial_fields::collide::{CollideSettings, FrictionModel};
use radial_fields::scenes::conditions::Condition;
use radial_fields::scenes::{self, Formation, Outfit, PREROLL_SECONDS, Prop, ShowDesc};
use radial_fields::solid::{SolidMaterial, SolidMesh};
use radial_fields::{ClothSettings, GarmentSettings, Technique, remark};

use super::Judge;
use crate::cli::ResponseFlags;

pub const FRAMES_IN_FLIGHT: usize = 2;

/// A row of a table.
pub struct Way {
    pub name: &'static str,
    pub desc: ShowDesc,
}

/// The title of a table, its rows of which the first is what the others are measured against, and what judges them if they are to be of equal
/// quality.
type Table = (String, Vec<Way>, Option<Judge>);

/// Metres by which something stands out of the way.
const ASIDE: Vec3 = Vec3::new(0.0, 0.0, -50.0);

/// A tablecloth over a bust, by the model of friction, with edges and triangles and without.
pub fn by_friction(flags: &ResponseFlags) -> anyhow::Result<Table> {
    let props = Prop::bust(flags.edge * 1e-3, flags.cell * 1e-3);
    let triangles = props.iter().filter_map(|prop| prop.mesh.as_ref());
    let triangles: usize = triangles.map(|mesh| mesh.triangles().len()).sum();
    let bare = tablecloth(flags, builtin::load_mannequin())?;
    let way = |name, friction_model, edge_midpoints| Way {
        name,
        desc: ShowDesc {
            props: props.clone(),
            collide: CollideSettings {
                friction_model,
                edge_midpoints,
                ..CollideSettings::default()
            },
            ..bare.clone()
        },
    };
    let (coulomb, simple, enhanced) = (
        FrictionModel::Coulomb,
        FrictionModel::Simple,
        FrictionModel::Enhanced,
    );
    let mut ways = vec![
        way("no solid", coulomb, false),
        way("simple friction", simple, false),
        way("enhanced friction", enhanced, false),
        way("Coulomb", coulomb, false),
        way("simple friction with edges", simple, true),
        way("enhanced friction with edges", enhanced, true),
        way("Coulomb with edges", coulomb, true),
    ];
    ways[0].desc.props.clear();
    let title = format!(
        "A tablecloth of {} particles over a bust of {triangles} triangles in cells of {} mm",
        flags.particles, flags.cell
    );
    Ok((title, ways, None))
}

/// A character's clothes among no solids, among three that it meets, and with the same three far away.
pub fn by_solids(flags: &ResponseFlags) -> anyhow::Result<Table> {
    let condition = Condition::find(2).expect("the paper has it");
    let character = condition.figure.load()?;
    for note in &character.notes {
        remark!("bench:   {note}");
    }
    let avatar = &character.avatar;
    let most = flags.clothes_particles.map(|count| count as usize);
    let garments = condition.dress(avatar, most)?;
    let alone = condition.show(
        avatar,
        &garments,
        Technique::RadialCompute,
        FRAMES_IN_FLIGHT,
    );
    let of_scene = |name| {
        let scene = scenes::find(name).expect("there is such a scene");
        (scene.props)(avatar)
    };
    let near: Vec<Prop> = [of_scene("props"), of_scene("bag")].concat();
    let mut far = near.clone();
    for prop in &mut far {
        prop.world_from_solid = Mat4::from_translation(ASIDE) * prop.world_from_solid;
    }
    let way = |name, props| Way {
        name,
        desc: ShowDesc {
            props,
            ..alone.clone()
        },
    };
    let ways = vec![
        way("no solids", Vec::new()),
        way("ball, table and bag", near),
        way("the same far away", far),
    ];
    let particles = garments.iter().map(|garment| garment.mesh.positions.len());
    let title = format!(
        "The clothes of {}, {} particles",
        avatar.name,
        particles.sum::<usize>()
    );
    Ok((title, ways, None))
}

/// A tablecloth over a bust, which is a field, or the skin of one bone that trees hold.
pub fn by_technique(flags: &ResponseFlags) -> anyhow::Result<Table> {
    let mut props = Prop::bust(flags.edge * 1e-3, flags.cell * 1e-3);
    props.truncate(1);
    // As rough as clay for all: skin has no friction of its own.
    let friction = GarmentSettings {
        friction: 0.8,
        ..GarmentSettings::default()
    };
    props[0].material = SolidMaterial::default();
    let mesh = props[0].mesh.clone().context("the bust has a mesh")?;
    let place = props[0].world_from_solid;
    // Who wears the cloth over the field is a bust of few triangles, out of the way.
    let small = Prop::bust(0.04, 0.02);
    let wearer = small[0].mesh.as_ref().context("the bust has a mesh")?;
    let wearer = on_one_bone(wearer, Mat4::from_translation(ASIDE));
    let desc = |avatar: Avatar| -> anyhow::Result<ShowDesc> {
        Ok(ShowDesc {
            garment: friction,
            ..tablecloth(flags, avatar)?
        })
    };
    let field = ShowDesc {
        props,
        ..desc(wearer)?
    };
    let mut particles_alone = field.clone();
    particles_alone.collide.edge_midpoints = false;
    let tree = |technique| -> anyhow::Result<ShowDesc> {
        Ok(ShowDesc {
            technique,
            ..desc(on_one_bone(&mesh, place))?
        })
    };
    let way = |name, desc| Way { name, desc };
    let ways = vec![
        way("field", particles_alone),
        way("field with edges", field),
        way("bvh", tree(Technique::Bvh)?),
        way("lbvh", tree(Technique::Lbvh)?),
        way("wide_bvh", tree(Technique::WideBvh)?),
    ];
    let title = format!(
        "A tablecloth of {} particles over the same bust of {} triangles",
        flags.particles,
        mesh.triangles().len()
    );
    let judge = Judge {
        mesh,
        world_from_solid: place,
    };
    Ok((title, ways, Some(judge)))
}

/// The cloth that comes down, and who it belongs to.
fn tablecloth(flags: &ResponseFlags, avatar: Avatar) -> anyhow::Result<ShowDesc> {
    Ok(ShowDesc {
        garments: Outfit::Tablecloth.make(&avatar, flags.particles as usize)?,
        props: Vec::new(),
        clip_ix: None,
        preroll_seconds: PREROLL_SECONDS,
        cloth: ClothSettings::default(),
        cloth_contacts: false,
        layer_fields: true,
        collide: CollideSettings::default(),
        technique: Technique::RadialCompute,
        spatial_hash: Default::default(),
        garment: GarmentSettings::default(),
        fit: Default::default(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        character_count: 1,
        formation: Formation::Square,
        avatar,
    })
}

/// A rigid mesh as a character that stands still.
fn on_one_bone(mesh: &Arc<SolidMesh>, place: Mat4) -> Avatar {
    let positions = mesh.positions().iter();
    let positions: Vec<_> = positions.map(|&at| place.transform_point3(at)).collect();
    let triangles = mesh.triangles().to_vec();
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in &triangles {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        for &ix in triangle {
            normals[ix as usize] += (b - a).cross(c - a);
        }
    }
    let normals = normals
        .iter()
        .map(|sum| sum.normalize_or(Vec3::Y))
        .collect();
    let count = positions.len();
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    Avatar {
        name: "a bust".to_owned(),
        skeleton: Skeleton {
            nodes: vec![Node {
                name: "bust".to_owned(),
                parent: None,
                rest: Transform::from_translation(place.w_axis.truncate()),
            }],
            joints: vec![Joint {
                node_ix: 0,
                bone_from_bind: Mat4::from_translation(-place.w_axis.truncate()),
            }],
        },
        parts: vec![Part {
            triangles: 0..triangles.len() as u32,
            base_colour: [1.0; 4],
            texture_ix: None,
            alpha_cutoff: 0.0,
        }],
        skin: SkinMesh {
            positions,
            normals,
            uvs: vec![Vec2::ZERO; count],
            joints: vec![[0; MAX_INFLUENCES]; count],
            weights: vec![weights; count],
            triangles,
        },
        ..Avatar::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_on_one_bone_is_a_character_where_it_stands() {
        let bust = Prop::bust(0.04, 0.02).remove(0);
        let mesh = bust.mesh.expect("it has a mesh");
        let avatar = on_one_bone(&mesh, bust.world_from_solid);
        avatar.validate().expect("it is sound");
        let moved = bust.world_from_solid.transform_point3(mesh.positions()[0]);
        assert!(avatar.skin.positions[0].abs_diff_eq(moved, 1e-6));
    }
}
