//! Characters' fields, fitted once for all tests: most of a world's time goes there.

use std::sync::{Arc, Mutex, PoisonError};

use radial_fields::avatar::SkinMesh;
use radial_fields::collide::radial::field::FieldSet;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::{BodyDef, WorldDef};

/// A character and the fields that a test has fitted to it.
struct Fitted {
    skin: SkinMesh,
    skeleton: String,
    fit: FitSettings,
    fields: Arc<FieldSet>,
}

impl Fitted {
    fn new(body: &BodyDef) -> Self {
        Self {
            skin: body.avatar.skin.clone(),
            skeleton: format!("{:?}", body.avatar.skeleton),
            fit: body.fit,
            fields: Arc::new(fit(body.avatar, &body.fit)),
        }
    }

    fn is_of(&self, body: &BodyDef) -> bool {
        let (own, other) = (&self.skin, &body.avatar.skin);
        self.fit == body.fit
            && own.positions == other.positions
            && own.triangles == other.triangles
            && own.joints == other.joints
            && own.weights == other.weights
            && self.skeleton == format!("{:?}", body.avatar.skeleton)
    }
}

/// The fields of a body.
pub fn fields_of(body: &BodyDef) -> Arc<FieldSet> {
    static FITTED: Mutex<Vec<Fitted>> = Mutex::new(Vec::new());
    let all = || FITTED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all()
        .iter()
        .find(|fitted| fitted.is_of(body))
        .map(|fitted| Arc::clone(&fitted.fields));
    known.unwrap_or_else(|| {
        let fitted = Fitted::new(body);
        let fields = Arc::clone(&fitted.fields);
        all().push(fitted);
        fields
    })
}

/// Makes a world, or something else, of bodies that have their fields; but for those whose technique has none or whose fit is refused.
pub fn with_fields<T>(def: &WorldDef, make: impl FnOnce(&WorldDef) -> T) -> T {
    let fields = def.bodies.iter().map(|body| {
        let is_laid = def.technique.lays_fields() && body.fit.check(body.avatar).is_ok();
        (is_laid && body.fields.is_none()).then(|| fields_of(body))
    });
    let fields: Vec<_> = fields.collect();
    let with_fields = def
        .bodies
        .iter()
        .zip(&fields)
        .map(|(body, fields)| BodyDef {
            fields: body.fields.or(fields.as_ref()),
            ..*body
        });
    let bodies: Vec<_> = with_fields.collect();
    make(&WorldDef {
        bodies: &bodies,
        ..*def
    })
}
