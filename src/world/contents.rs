//! The contents of a world, kept on the CPU so that bodies and garments can come and go.

use std::sync::{Arc, OnceLock};

use glam::Mat4;

use super::{BodyDef, GarmentDef, SolidDef, WorldDef, WorldError};
use crate::avatar::{Avatar, Joint, Skeleton, SkinMesh, validate_weights};
use crate::cloth::GarmentSettings;
use crate::cloth::constraints::ConstraintGraph;
use crate::cloth::contacts::{ClothContacts, ClothSurface};
use crate::cloth::garment::{Garment, Layered};
use crate::cloth::patches::Patch;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::fit::{FitError, FitSettings, fit};
use crate::gpu::{Gpu, GpuError, Uploads};
use crate::math::Bounds;
use crate::solid::SolidShape;

/// The bodies, garments and solids of a world, as [`World::edit`](super::World::edit) passes them to its closure.
#[derive(Clone, Default)]
pub struct WorldContents {
    pub(super) bodies: Vec<Arc<BodyContents>>,
    pub(super) garments: Vec<GarmentContents>,
    /// Identified by their addresses.
    pub(super) solids: Vec<Arc<SolidDef>>,
}

/// A body, identified by its address.
pub(super) struct BodyContents {
    pub figure: Arc<Figure>,
}

/// What bodies that are copies of one character share.
pub(super) struct Figure {
    /// Skeleton and skin alone.
    pub avatar: Avatar,
    pub fit: FitSettings,
    /// Bounds of the skin of each joint, in bone space: empty for a joint without skin.
    pub joint_bounds: Vec<Bounds>,
    /// Laid when a technique first asks for them: fitting takes longer than all else.
    pub fields: OnceLock<Arc<FieldSet>>,
}

impl WorldContents {
    /// Gives garments that another has too the settings that they have there.
    #[cfg(feature = "capi")]
    pub(crate) fn take_settings(&mut self, other: &Self) {
        for garment in &mut self.garments {
            let same = |known: &&GarmentContents| Arc::ptr_eq(&known.worn, &garment.worn);
            if let Some(known) = other.garments.iter().find(same) {
                garment.settings = known.settings;
            }
        }
    }
}

impl Figure {
    /// `body_ix`: what errors name.
    fn new(def: &BodyDef, body_ix: usize) -> Result<Self, WorldError> {
        let (skin, skeleton) = (&def.avatar.skin, &def.avatar.skeleton);
        check_mesh(skin, skeleton.joints.len())
            .and_then(|()| check_skeleton(skeleton))
            .map_err(|fault| WorldError::BrokenBody { body_ix, fault })?;
        def.fields
            .map_or(Ok(()), |fields| fields.check(def.avatar, def.fit.rules))
            .map_err(|fault| WorldError::BrokenFields { body_ix, fault })?;
        Ok(Self {
            joint_bounds: skin.joint_bounds(&skeleton.joints),
            avatar: Avatar {
                name: def.avatar.name.clone(),
                skeleton: skeleton.clone(),
                skin: skin.clone(),
                ..Avatar::default()
            },
            fit: def.fit,
            fields: def
                .fields
                .cloned()
                .map_or_else(OnceLock::new, OnceLock::from),
        })
    }

    /// Whether it is what would be made of a body.
    fn is_of(&self, def: &BodyDef) -> bool {
        let has_its_fields = |fields: &Arc<FieldSet>| {
            let own = self.fields.get();
            own.is_some_and(|own| Arc::ptr_eq(own, fields))
        };
        self.fit == def.fit
            && def.fields.is_none_or(has_its_fields)
            && self.avatar.name == def.avatar.name
            && self.avatar.skeleton == def.avatar.skeleton
            && self.avatar.skin == def.avatar.skin
    }
}

/// A garment on one of the bodies.
#[derive(Clone)]
pub(super) struct GarmentContents {
    /// Identified by its address.
    pub worn: Arc<Worn>,
    pub body_ix: usize,
    pub settings: GarmentSettings,
}

/// A garment that somebody wears.
pub(super) struct Worn {
    pub cut: Arc<Cut>,
}

/// The constant data of a garment; copies of it on copies of one character share it.
pub(super) struct Cut {
    pub garment: Garment,
    pub graph: ConstraintGraph,
    pub patches: Vec<Patch>,
    wearer: Arc<Figure>,
    /// Laid when something is first worn over it.
    fields: OnceLock<Arc<FieldSet>>,
}

/// Joints are stored in 16 bits.
const MAX_JOINTS: usize = 1 << 16;

impl WorldContents {
    /// What the garments' cloth needs to meet cloth.
    pub(super) fn cloth_contacts(
        &self,
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
    ) -> Result<ClothContacts, GpuError> {
        let mut surface = ClothSurface::default();
        for garment in &self.garments {
            surface.add(&garment.worn.cut.garment, garment.body_ix as u32);
        }
        ClothContacts::new(gpu, uploads, &surface)
    }

    pub(super) fn new(def: &WorldDef) -> Result<Self, WorldError> {
        let mut contents = Self::default();
        for body in def.bodies {
            contents.add_body(body)?;
        }
        for garment in def.garments {
            contents.add_garment(garment)?;
        }
        for solid in def.solids {
            contents.add_solid(solid)?;
        }
        Ok(contents)
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// How many garments there are.
    pub fn garment_count(&self) -> usize {
        self.garments.len()
    }

    /// How many rigid solids there are.
    pub fn solid_count(&self) -> usize {
        self.solids.len()
    }

    pub(super) fn solid_shape(&self, solid_ix: usize) -> &SolidShape {
        &self.solids[solid_ix].shape
    }

    /// Adds a rigid solid behind the others and returns its index.
    ///
    /// # Errors
    /// When its shape or material is none, or its place has no inverse.
    pub fn add_solid(&mut self, def: &SolidDef) -> Result<usize, WorldError> {
        let solid_ix = self.solids.len();
        check_solid(solid_ix, def)?;
        self.solids.push(Arc::new(def.clone()));
        Ok(solid_ix)
    }

    /// Gives a solid another shape, place and material. As a new solid, it is there at once: it does not sweep from its old place to the
    /// new, which is what steps are for.
    ///
    /// # Errors
    /// When there is no such solid, its shape or material is none, or its place has no inverse.
    pub fn set_solid(&mut self, solid_ix: usize, def: &SolidDef) -> Result<(), WorldError> {
        let solid_count = self.solids.len();
        let solid = self.solids.get_mut(solid_ix);
        let solid = solid.ok_or(WorldError::NoSuchSolid {
            solid_ix,
            solid_count,
        })?;
        check_solid(solid_ix, def)?;
        *solid = Arc::new(def.clone());
        Ok(())
    }

    /// Takes a solid away. Solids behind it move down by one.
    ///
    /// # Errors
    /// When there is no such solid.
    pub fn remove_solid(&mut self, solid_ix: usize) -> Result<(), WorldError> {
        let solid_count = self.solids.len();
        if solid_ix >= solid_count {
            return Err(WorldError::NoSuchSolid {
                solid_ix,
                solid_count,
            });
        }
        self.solids.remove(solid_ix);
        Ok(())
    }

    /// Adds a body behind the others and returns its index. Keeps a copy of its skin and skeleton, which bodies that are alike share, and their fields.
    ///
    /// # Errors
    /// When the avatar or its fields are inconsistent, or there would be too many joints.
    pub fn add_body(&mut self, def: &BodyDef) -> Result<usize, WorldError> {
        let body_ix = self.bodies.len();
        let figures = self.bodies.iter().map(|body| &body.figure);
        let known = figures.into_iter().find(|figure| figure.is_of(def));
        let figure = match known.cloned() {
            Some(figure) => figure,
            None => Arc::new(Figure::new(def, body_ix)?),
        };
        let joint_count = self.joint_count() + figure.avatar.skeleton.joints.len();
        if joint_count > MAX_JOINTS {
            return Err(WorldError::TooManyJoints { joint_count });
        }
        self.bodies.push(Arc::new(BodyContents { figure }));
        Ok(body_ix)
    }

    /// Takes a body away, and its garments with it. Bodies behind it move down by one, as do garments behind its own.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn remove_body(&mut self, body_ix: usize) -> Result<(), WorldError> {
        self.check_body(body_ix)?;
        self.bodies.remove(body_ix);
        self.garments.retain(|garment| garment.body_ix != body_ix);
        for garment in &mut self.garments {
            garment.body_ix -= usize::from(garment.body_ix > body_ix);
        }
        Ok(())
    }

    /// Puts a garment on a body, behind the other garments, and returns its index. Keeps a copy of it, which garments that are alike share.
    ///
    /// # Errors
    /// When there is no such body, or the garment is inconsistent.
    pub fn add_garment(&mut self, def: &GarmentDef) -> Result<usize, WorldError> {
        self.check_body(def.body_ix)?;
        let garment_ix = self.garments.len();
        let wearer = &self.bodies[def.body_ix].figure;
        check_garment(def.garment, wearer.avatar.skeleton.joints.len())
            .map_err(|fault| WorldError::BrokenGarment { garment_ix, fault })?;
        let mut cuts = self.garments.iter().map(|garment| &garment.worn.cut);
        let known = cuts.find(|cut| cut.is_of(def.garment, wearer));
        let cut = known.map_or_else(|| Cut::new(def.garment, wearer), Arc::clone);
        self.garments.push(GarmentContents {
            worn: Arc::new(Worn { cut }),
            body_ix: def.body_ix,
            settings: def.settings,
        });
        Ok(garment_ix)
    }

    /// Takes a garment off. Garments behind it move down by one.
    ///
    /// # Errors
    /// When there is no such garment.
    pub fn remove_garment(&mut self, garment_ix: usize) -> Result<(), WorldError> {
        let garment_count = self.garments.len();
        if garment_ix >= garment_count {
            return Err(WorldError::NoSuchGarment {
                garment_ix,
                garment_count,
            });
        }
        self.garments.remove(garment_ix);
        Ok(())
    }

    fn check_body(&self, body_ix: usize) -> Result<(), WorldError> {
        let body_count = self.bodies.len();
        if body_ix < body_count {
            return Ok(());
        }
        Err(WorldError::NoSuchBody {
            body_ix,
            body_count,
        })
    }

    /// Joints of all bodies.
    pub(super) fn joint_count(&self) -> usize {
        let joints = |body: &Arc<BodyContents>| body.figure.avatar.skeleton.joints.len();
        self.bodies.iter().map(joints).sum()
    }

    /// Whether both have the same bodies and solids in the same order.
    pub(super) fn has_surfaces_of(&self, other: &Self) -> bool {
        are_same(&self.bodies, &other.bodies) && are_same(&self.solids, &other.solids)
    }
}

fn are_same<T>(a: &[Arc<T>], b: &[Arc<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

fn check_solid(solid_ix: usize, def: &SolidDef) -> Result<(), WorldError> {
    let shape = def.shape.check();
    shape.map_err(|fault| WorldError::BrokenSolid { solid_ix, fault })?;
    let material = def.material.check();
    material.map_err(|fault| WorldError::SolidMaterial { solid_ix, fault })?;
    match is_place(def.world_from_solid) {
        true => Ok(()),
        false => Err(WorldError::SolidPlace { solid_ix }),
    }
}

/// Whether a solid can be there: what its own space is found from again.
pub(super) fn is_place(world_from_solid: Mat4) -> bool {
    let determinant = world_from_solid.determinant();
    world_from_solid.is_finite() && determinant.is_finite() && determinant != 0.0
}

impl Cut {
    fn new(garment: &Garment, wearer: &Arc<Figure>) -> Arc<Self> {
        let graph = ConstraintGraph::build(garment);
        Arc::new(Self {
            garment: garment.clone(),
            patches: Patch::cut(&graph),
            graph,
            wearer: Arc::clone(wearer),
            fields: OnceLock::new(),
        })
    }

    /// Whether it is what would be made of a garment.
    fn is_of(&self, garment: &Garment, wearer: &Arc<Figure>) -> bool {
        Arc::ptr_eq(&self.wearer, wearer) && self.garment == *garment
    }

    /// Its own radial fields, laid as its wearer's are.
    ///
    /// # Errors
    /// When they would have more cells than memory is likely to hold.
    pub fn fields(&self) -> Result<&Arc<FieldSet>, FitError> {
        if let Some(fields) = self.fields.get() {
            return Ok(fields);
        }
        let as_skin = Avatar {
            skeleton: self.wearer.avatar.skeleton.clone(),
            skin: self.garment.mesh.clone(),
            ..Avatar::default()
        };
        self.wearer.fit.check(&as_skin)?;
        let laid = || Arc::new(fit(&as_skin, &self.wearer.fit));
        Ok(self.fields.get_or_init(laid))
    }
}

/// Checks what the GPU relies on: lists of equal length, and no index past the end of what it points into.
fn check_mesh(mesh: &SkinMesh, joint_count: usize) -> Result<(), &'static str> {
    let count = mesh.positions.len();
    let lengths = [mesh.normals.len(), mesh.joints.len(), mesh.weights.len()];
    let inside = |ix: &u32| (*ix as usize) < count;
    let known = |ix: &u16| usize::from(*ix) < joint_count;
    if lengths != [count; 3] {
        Err("its positions, normals, joints and weights are not equally many")
    } else if !mesh.triangles.iter().flatten().all(inside) {
        Err("a triangle has a vertex that does not exist")
    } else if ![0, count].contains(&mesh.uvs.len()) {
        Err("its texture coordinates are neither none nor one per vertex")
    } else if !mesh.joints.iter().flatten().all(known) {
        Err("a vertex follows a joint that does not exist")
    } else if !mesh.positions.iter().all(|position| position.is_finite()) {
        Err("a position is not finite")
    } else if !mesh.normals.iter().all(|normal| normal.is_finite()) {
        Err("a normal is not finite")
    } else {
        mesh.weights.iter().try_for_each(validate_weights)
    }
}

fn check_skeleton(skeleton: &Skeleton) -> Result<(), &'static str> {
    let Skeleton { nodes, joints, .. } = skeleton;
    let mut parents = nodes.iter().map(|node| node.parent).enumerate();
    let known = |joint: &Joint| joint.node_ix < nodes.len();
    if !parents.all(|(ix, parent)| parent.is_none_or(|parent| parent < ix)) {
        Err("a node's parent does not come before it")
    } else if !joints.iter().all(known) {
        Err("a joint is at a node that does not exist")
    } else {
        Ok(())
    }
}

fn check_garment(garment: &Garment, joint_count: usize) -> Result<(), &'static str> {
    check_mesh(&garment.mesh, joint_count)?;
    let count = garment.mesh.positions.len();
    let mut attachments = garment.attachments.iter();
    let is_amount = |amount: f32| (0.0..f32::INFINITY).contains(&amount);
    let (rest_count, mut rest) = (garment.rest_positions.len(), garment.rest_positions.iter());
    if ![0, count].contains(&rest_count) || !rest.all(|position| position.is_finite()) {
        Err("its positions at rest are neither none nor one per particle, or not finite")
    } else if attachments
        .clone()
        .any(|attachment| attachment.particle_ix as usize >= count)
    {
        Err("an attachment holds a particle that does not exist")
    } else if !attachments.all(|attachment| is_amount(attachment.compliance)) {
        Err("an attachment's compliance is negative, or not finite")
    } else if garment.layered.keys().any(|&ix| ix as usize >= count) {
        Err("it has layers at a particle that does not exist")
    } else if !garment.layered.values().all(Layered::is_valid) {
        Err("what holds its layers is negative, or no number")
    } else if !garment.clearances.is_empty() && garment.clearances.len() != count {
        Err("its clearances are neither none nor one per particle")
    } else if !garment
        .clearances
        .iter()
        .all(|&clearance| is_amount(clearance))
    {
        Err("a clearance is negative, or not finite")
    } else if !garment.motion.is_empty() && garment.motion.len() != count {
        Err("its motion constraints are neither none nor one per particle")
    } else if garment.motion.iter().any(|motion| !motion.is_valid()) {
        Err("a motion constraint has a negative length, or one that is no number")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::{MAX_INFLUENCES, builtin};
    use crate::cloth::garment::{Attachment, sheet_over};

    /// Whether a second body shares what a first one has.
    fn is_shared(first: &BodyDef, second: &BodyDef) -> bool {
        let mut contents = WorldContents::default();
        for body in [first, second] {
            contents.add_body(body).expect("it is sound");
        }
        Arc::ptr_eq(&contents.bodies[0].figure, &contents.bodies[1].figure)
    }

    #[test]
    fn bodies_that_are_alike_share_what_they_are_made_of_whoever_holds_them() {
        let avatar = builtin::load_mannequin();
        let (copy, mut other) = (avatar.clone(), avatar.clone());
        other.skin.positions[7].x += 0.001;
        let fields = Arc::new(fit(&avatar, &FitSettings::default()));
        let fitted = BodyDef {
            fields: Some(&fields),
            ..BodyDef::new(&avatar)
        };
        let coarse = BodyDef {
            fit: FitSettings {
                cell_size: 0.02,
                ..FitSettings::default()
            },
            ..BodyDef::new(&avatar)
        };
        let first = BodyDef::new(&avatar);
        assert!(is_shared(&first, &BodyDef::new(&copy)));
        assert!(is_shared(&fitted, &fitted) && is_shared(&fitted, &BodyDef::new(&copy)));
        assert!(!is_shared(&first, &BodyDef::new(&other)));
        assert!(!is_shared(&first, &coarse));
        assert!(!is_shared(&first, &fitted), "it may have other fields");
    }

    #[test]
    fn garments_that_are_alike_are_cut_into_patches_once() {
        let avatar = builtin::load_mannequin();
        let garment = sheet_over(&avatar, 100);
        let (copy, mut other) = (garment.clone(), garment.clone());
        other.attachments.clear();
        other.mesh.positions[3].y += 0.01;
        let mut contents = WorldContents::default();
        contents
            .add_body(&BodyDef::new(&avatar))
            .expect("it is sound");
        for garment in [&garment, &copy, &other] {
            let def = GarmentDef::new(garment, 0);
            contents.add_garment(&def).expect("it is sound");
        }
        let cuts = contents.garments.iter().map(|garment| &garment.worn.cut);
        let [first, second, third] = cuts.collect::<Vec<_>>()[..] else {
            panic!("three were added");
        };
        assert!(Arc::ptr_eq(first, second) && !Arc::ptr_eq(first, third));
    }

    fn attached(compliance: f32) -> Vec<Attachment> {
        vec![Attachment {
            particle_ix: 3,
            compliance,
        }]
    }

    /// Of plain data that somebody has filled in wrongly.
    #[test]
    fn what_the_gpu_relies_on_is_checked() {
        let avatar = builtin::load_mannequin();
        let garment = sheet_over(&avatar, 100);
        let broken_bodies: [fn(&mut Avatar); 4] = [
            |avatar| avatar.skeleton.nodes[1].parent = Some(1),
            |avatar| avatar.skin.positions[5].y = f32::NAN,
            |avatar| avatar.skin.weights[5] = [0.0; MAX_INFLUENCES],
            |avatar| avatar.skin.uvs.truncate(1),
        ];
        for break_it in broken_bodies {
            let mut broken = avatar.clone();
            break_it(&mut broken);
            let added = WorldContents::default().add_body(&BodyDef::new(&broken));
            assert!(matches!(added, Err(WorldError::BrokenBody { .. })));
        }
        let broken_garments: [fn(&mut Garment); 8] = [
            |garment| garment.attachments = attached(f32::INFINITY),
            |garment| garment.attachments = attached(f32::NAN),
            |garment| garment.attachments = attached(-0.1),
            |garment| garment.clearances = vec![f32::INFINITY; garment.mesh.positions.len()],
            |garment| garment.mesh.normals[5].z = f32::NAN,
            |garment| garment.mesh.uvs.truncate(1),
            |garment| garment.mesh.weights[5] = [f32::NAN; MAX_INFLUENCES],
            |garment| garment.mesh.positions[5].x = f32::INFINITY,
        ];
        let mut contents = WorldContents::default();
        contents
            .add_body(&BodyDef::new(&avatar))
            .expect("it is sound");
        for break_it in broken_garments {
            let mut broken = garment.clone();
            break_it(&mut broken);
            let added = contents.add_garment(&GarmentDef::new(&broken, 0));
            assert!(matches!(added, Err(WorldError::BrokenGarment { .. })));
        }
        let mut plain = garment;
        plain.attachments = attached(0.0);
        plain.mesh.uvs.clear();
        let added = contents.add_garment(&GarmentDef::new(&plain, 0));
        added.expect("there may be no texture coordinates");
    }
}
