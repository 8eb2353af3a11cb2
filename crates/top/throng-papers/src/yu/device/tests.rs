use throng_device::neighbours::Boundary;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, Flow, Reference, Start};
use throng_testing_devices::devices;

use super::*;
use crate::yu::techniques::Technique::Locality;
use crate::yu::techniques::Techniques;

/// The states after every tick, and all stored numbers after the last one, equal the results of the definition.
#[test]
fn devices_match_the_states_and_fields_of_the_definition() {
    for (size, boundary) in
        [(3, Boundary::Periodic), (5, Boundary::Periodic), (7, Boundary::Periodic), (5, Boundary::Closed)]
    {
        for (flow, density) in [(Flow::Bi, 0.3), (Flow::Eight, 0.7)] {
            let grid = Grid { width: 29, height: 17, boundary };
            let is_wall = |unit: u32| boundary == Boundary::Closed && unit.wrapping_mul(2_654_435_761) >> 28 == 3;
            let world = World::new(grid, (0..29 * 17).map(is_wall).collect()).unwrap();
            let pedestrians = Start { density, flow, periods: &[1], seed: 5 }.pedestrians(&world).unwrap();
            let tables = FieldTables::new(&FieldParameters { size, ..FieldParameters::default() }).unwrap();
            let seed = 0x1_0000_0005;
            let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), seed, 0).unwrap();
            let expected: Vec<Pedestrians> = (0..10)
                .map(|_| {
                    reference.step();
                    reference.pedestrians().clone()
                })
                .collect();
            let second = Variant { caching: Caching::MultiStep(4), techniques: Techniques::ALL };
            let first = Variant { caching: Caching::OneStep, techniques: Techniques::FIRST };
            let records = Variant { caching: Caching::OneStep, techniques: Techniques::ALL }.without(Locality);
            let variants = Caching::ALL.map(Variant::from).into_iter().chain([first, second, records]);
            // Each technique left out of the second program, with one of the boundaries.
            let techniques = Technique::ALL.into_iter().filter(|_| boundary == Boundary::Closed);
            let left_out = techniques.map(|technique| second.without(technique));
            for variant in variants.chain(left_out) {
                for device in devices() {
                    let mut program =
                        DeviceStoredFields::new(device, &world, &tables, &pedestrians, seed, 0, variant).unwrap();
                    for (tick, expected) in expected.iter().enumerate() {
                        program.step(device).unwrap();
                        let found = program.pedestrians(device).unwrap();
                        assert_eq!(found, *expected, "{variant:?}, {size}, {flow:?}, {density}, {tick}");
                    }
                    let fields = program.fields(device).unwrap();
                    assert_eq!(fields.len() as u32, 29 * 17 * program.numbers().count());
                    let sums = |unit, heading| reference.sums(unit, heading);
                    let differ = program.numbers().differing(&fields, 29 * 17, sums);
                    assert_eq!(differ, 0, "{variant:?}, {size}, {flow:?}, {density}");
                }
            }
        }
    }
}

#[test]
fn a_cache_beyond_device_memory_is_refused_with_both_sizes() {
    let numbers = Numbers::of(Flow::Bi.headings());
    for device in devices() {
        // Fields of 77 x 77 in 2000 x 2000 space units take 385 GB in the paper, and more than 2^32 numbers in any
        // case.
        let refused = check_cache(device, Caching::OneStep, 868, numbers, 4_000_000).unwrap_err();
        let text = refused.to_string();
        assert!(refused.exit_code() == 3, "{text}");
        let [needed, indexed] = ["42419", "27776000000 numbers, but kernels index at most 4294967295"];
        assert!(text.contains(needed) || text.contains(indexed), "{text}");
        check_cache(device, Caching::OneStep, 7, numbers, 100).unwrap();
    }
}

#[test]
fn fields_beyond_local_memory_are_refused_with_both_sizes() {
    let second = Variant { caching: Caching::MultiStep(4), techniques: Techniques::ALL };
    for device in devices() {
        // A tile of 16 x 16 with a margin of 200.
        let text = check_local_memory(device, second, 200).unwrap_err().to_string();
        assert!(text.starts_with("local memory of 692224 bytes per cube, and "), "{text}");
        check_local_memory(device, second, 3).unwrap();
        check_local_memory(device, second.without(Technique::DataBandwidth), 200).unwrap();
    }
}
