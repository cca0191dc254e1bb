//! Characters' fields, fitted once for all tests: most of a world's time goes there.

use std::sync::{Arc, Mutex, PoisonError};

use radial_fields::collide::radial::field::{FieldSet, fingerprint};
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::{BodyDef, WorldDef};

/// Those that a test has fitted, and how.
struct Fitted {
    fit: FitSettings,
    fields: Arc<FieldSet>,
}

/// The fields of a body.
pub fn fields_of(body: &BodyDef) -> Arc<FieldSet> {
    static FITTED: Mutex<Vec<Fitted>> = Mutex::new(Vec::new());
    let all = || FITTED.lock().unwrap_or_else(PoisonError::into_inner);
    let avatar = fingerprint(body.avatar);
    let known = all()
        .iter()
        .find(|fitted| fitted.fit == body.fit && fitted.fields.fitted_to == avatar)
        .map(|fitted| Arc::clone(&fitted.fields));
    known.unwrap_or_else(|| {
        let fields = Arc::new(fit(body.avatar, &body.fit));
        all().push(Fitted {
            fit: body.fit,
            fields: Arc::clone(&fields),
        });
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
