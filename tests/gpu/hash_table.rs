//! The hash table on the GPU against `collide::spatial_hash::twin`.

use glam::{Mat4, Quat};
use radial_fields::collide::Technique;
use radial_fields::collide::spatial_hash::twin::{Table, fill, longest_list};
use radial_fields::collide::spatial_hash::{LIST, SpatialHash, SpatialHashDef};
use radial_fields::{BodyDef, World, WorldDef};

use crate::figures::{bent, column};
use crate::fixture::{Rig, with_device};

/// Metres by which a cell may seem larger or smaller: roundings of world coordinates.
const MARGIN: f32 = 1e-5;

fn hash_of(world: &World) -> &SpatialHash {
    let hash = world.collider().state();
    hash.expect("the world collides by a hash table")
}

/// The lists as the GPU filled them, each in order.
fn read_table(rig: &mut Rig) -> Vec<Vec<u32>> {
    let hash = hash_of(&rig.world);
    let count = hash.def().entry_count as usize;
    let half = hash.def().half_list() as usize;
    let (generation, triangle_bits) = hash.generation().expect("the table was filled");
    let stamps: Vec<u32> = rig.read(count, |world| hash_of(world).stamps());
    let halves: [Vec<u32>; 2] =
        [0, 1].map(|ix| rig.read(count * half, |world| hash_of(world).lists()[ix]));
    (0..count)
        .map(|entry| {
            let listed = halves
                .iter()
                .flat_map(|words| &words[entry * half..][..half]);
            let mut list: Vec<_> = listed
                .filter(|&&listed| listed >> triangle_bits == generation)
                .map(|&listed| listed & ((1 << triangle_bits) - 1))
                .collect();
            list.sort_unstable();
            assert_eq!(
                stamps[entry] == generation,
                !list.is_empty(),
                "the stamp of entry {entry}"
            );
            list
        })
        .collect()
}

/// Whether every list that is not full holds what it surely must and nothing that it surely must not; `least` and `most` are
/// the twin's with cells made smaller and larger.
fn compare(found: &[Vec<u32>], least: &Table, most: &Table) -> Result<(), String> {
    for (entry, list) in found.iter().enumerate() {
        if !list.is_sorted_by(|a, b| a < b) {
            return Err(format!("entry {entry} lists one twice: {list:?}"));
        }
        let (least, most) = (&least.lists[entry], &most.lists[entry]);
        if most.len() == LIST as usize {
            continue;
        }
        let lacking = least.iter().find(|ix| !list.contains(ix));
        let foreign = list.iter().find(|ix| !most.contains(ix));
        if lacking.or(foreign).is_some() {
            return Err(format!(
                "entry {entry} is {list:?}, not between {least:?} and {most:?}"
            ));
        }
    }
    Ok(())
}

fn filled(def: SpatialHashDef, check: impl FnOnce(&mut Rig, &Table, &Table)) {
    with_device(|device| {
        let avatar = column(3);
        let world = WorldDef {
            bodies: &[BodyDef::new(&avatar)],
            technique: Technique::SpatialHash,
            spatial_hash: def,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &world);
        for turn in [0.0, 0.2] {
            let palette = bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
            rig.step(&[&palette], true);
        }
        let skin = rig.skin();
        let topology = hash_of(&rig.world).topology().clone();
        let [least, most] = [-MARGIN, MARGIN].map(|margin| fill(&def, &topology, &skin, margin));
        check(&mut rig, &least, &most);
    });
}

#[test]
fn the_table_fills_as_its_twin() {
    let def = SpatialHashDef {
        cell_size: 0.01,
        entry_count: 262_147,
        ..SpatialHashDef::default()
    };
    filled(def, |rig, least, most| {
        let mut found = read_table(rig);
        compare(&found, least, most).unwrap_or_else(|error| panic!("{error}"));
        let listing_count: usize = found.iter().map(Vec::len).sum();
        println!("{listing_count} listings");
        assert!(listing_count > 5000, "{listing_count} prove little");
        let full_count = most
            .lists
            .iter()
            .filter(|list| list.len() == LIST as usize)
            .count();
        assert!(
            full_count < 20,
            "{full_count} lists are full: round the middles of the ends"
        );
        // One listing too many or too few is seen.
        let entry = found
            .iter()
            .position(|list| list.len() > 2)
            .expect("lists are long");
        found[entry].push(u32::MAX >> 1);
        assert!(compare(&found, least, most).is_err());
        found[entry].pop();
        let sure = least.lists[entry][0];
        found[entry].retain(|&ix| ix != sure);
        assert!(compare(&found, least, most).is_err());
    });
}

#[test]
fn full_lists_keep_the_first_triangles_and_count_the_others() {
    let def = SpatialHashDef {
        cell_size: 0.02,
        entry_count: 211,
        ..SpatialHashDef::default()
    };
    filled(def, |rig, least, most| {
        let found = read_table(rig);
        let full_count = found
            .iter()
            .filter(|list| list.len() == LIST as usize)
            .count();
        assert!(full_count > 50, "{full_count} full lists prove little");
        let same = found.iter().zip(least.lists.iter().zip(&most.lists));
        let agree_count = same
            .filter(|(found, (least, most))| found == least || found == most)
            .count();
        // A triangle on the border of a cell moves all that come after it.
        assert!(
            agree_count * 20 > found.len() * 17,
            "{agree_count} of {} agree",
            found.len()
        );
        let overflow_count =
            rig.read::<u32>(1, |world| hash_of(world).overflow_count())[0] as usize;
        println!(
            "{overflow_count} lost, {} to {} in the last update",
            least.overflow_count, most.overflow_count
        );
        assert!(overflow_count > most.overflow_count, "every update counts");
    });
}

#[test]
fn lists_as_long_as_the_longest_lose_nothing() {
    // As full as that in which 20 are too few.
    let full = SpatialHashDef {
        cell_size: 0.02,
        entry_count: 211,
        ..SpatialHashDef::default()
    };
    let mut needed = 0;
    filled(full, |rig, _, _| {
        let skin = rig.skin();
        needed = longest_list(&full, hash_of(&rig.world).topology(), &skin);
    });
    assert!(needed > LIST, "{needed} prove nothing");
    // The pose before it may need some more, and so may cells at whose borders rounding decides.
    let roomy = SpatialHashDef {
        list: 2 * needed + 1,
        ..full
    };
    filled(roomy, |rig, least, most| {
        let lost: Vec<u32> = rig.read(1, |world| hash_of(world).overflow_count());
        assert_eq!(lost, [0]);
        let found = read_table(rig);
        for (list, (least, most)) in found.iter().zip(least.lists.iter().zip(&most.lists)) {
            assert!((least.len()..=most.len()).contains(&list.len()));
        }
    });
}
