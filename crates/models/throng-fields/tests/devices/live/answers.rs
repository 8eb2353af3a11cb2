//! Asynchronous answers, and fields that stay on a device.
use throng_fields::{DeviceChoice, Discs, DynamicField, Executor, Grid, Profile, Window};
use throng_testing_devices::devices;

use super::{bits, executors, made_at_once};

fn two_discs(on: &Executor) -> DynamicField {
    let grid = Grid::new([0.0, 0.0], 1.0, 300, 200).unwrap();
    DynamicField::builder(grid)
        .entities(Discs::new(&[[20.5, 20.5], [220.5, 120.5]], Profile::linear(12.0).unwrap()).unwrap())
        .on(on)
        .build()
        .unwrap()
}

#[test]
fn answers_refer_to_the_time_of_the_query() {
    for on in executors() {
        let mut fields = two_discs(&on);
        let before: Vec<_> = fields.ids().iter().map(|&id| fields.entity(id).unwrap().clone()).collect();
        let before = made_at_once(fields.grid(), &before);
        let windows = [Window::new(0..60, 0..60), Window::new(200..300, 100..200)];
        let points = [[22.0, 20.5], [215.0, 121.0]];
        for begins in [false, true] {
            let mut best = fields.best_in_later(&windows, 3).unwrap();
            let mut samples = fields.sample_later(&points).unwrap();
            let mut gradients = fields.gradients_later(&points).unwrap();
            let mut whole = fields.read_later().unwrap();
            if begins {
                best.begin().unwrap();
                samples.begin().unwrap();
                gradients.begin().unwrap();
                whole.begin().unwrap();
            }
            // Pending changes do not affect queries before the next update.
            let ids = fields.ids();
            fields.move_many(&ids, &[[40.5, 50.5], [100.5, 90.5]]).unwrap();
            assert_eq!(fields.sample(&points).unwrap(), points.map(|point| before.sample(point).unwrap()));
            fields.update().unwrap();
            assert_eq!(fields.sample(&points).unwrap(), [0.0, 0.0]);

            let cells: Vec<(u32, u32)> =
                best.wait().unwrap().iter().map(|best| (best[0].column, best[0].row)).collect();
            assert_eq!(cells, [(20, 20), (220, 120)], "{}", on.label());
            assert_eq!(samples.wait().unwrap(), points.map(|point| before.sample(point).unwrap()));
            assert_eq!(gradients.wait().unwrap(), points.map(|point| before.gradient(point).unwrap()));
            assert_eq!(bits(whole.wait().unwrap().values()), bits(before.values()));
            fields.move_many(&ids, &[[20.5, 20.5], [220.5, 120.5]]).unwrap();
            fields.update().unwrap();
        }
    }
}

#[test]
fn fields_and_answers_are_available_in_device_memory() {
    for on in executors() {
        let fields = two_discs(&on);
        let field = fields.read().unwrap();
        let samples = fields.sample_later(&[[22.0, 20.5]]).unwrap();
        let Some(there) = fields.on_device() else {
            assert!(on.label() == "cpu" && on.device().is_none() && samples.words().is_none());
            continue;
        };
        assert_eq!(there.device.info().label(), on.label());
        let values = there.device.read(there.values).unwrap();
        assert_eq!(bits(&values), bits(field.values()));
        let words = samples.words().unwrap();
        let words = there.device.read(words).unwrap();
        assert_eq!(words[0], field.sample([22.0, 20.5]).unwrap().to_bits());
    }
}

#[test]
fn only_answers_leave_a_device() {
    for device in devices() {
        // A device with its own ledger, because other tests download from the device at the same time.
        let on = Executor::from(device.info().open().unwrap());
        let mut fields = two_discs(&on);
        let Some(there) = fields.on_device() else { panic!("the fields are on {}", on.label()) };
        let field_bytes = there.values.len() as u64 * 4;
        let downloaded = |fields: &DynamicField| fields.on_device().map(|there| there.device.ledger().downloaded_bytes);
        let before = downloaded(&fields).unwrap();
        let ids = fields.ids();
        for step in 0..10u8 {
            let to = [20.5 + f64::from(step), 20.5];
            fields.move_to(ids[0], to).unwrap();
            fields.update().unwrap();
            let windows = [Window::around(fields.grid(), to, 8.0).unwrap()];
            assert_eq!(fields.best_in(&windows, 4).unwrap()[0][0].column, 20 + u32::from(step));
            fields.sample(&[to]).unwrap();
        }
        let in_all = downloaded(&fields).unwrap() - before;
        assert!(in_all < 10 * 100 && in_all < field_bytes, "{in_all} bytes");
    }
}

#[test]
fn several_fields_share_a_device() {
    for on in executors() {
        let (mut one, other) = (two_discs(&on), two_discs(&on));
        let before = other.read().unwrap();
        one.move_to(one.ids()[0], [100.5, 100.5]).unwrap();
        one.update().unwrap();
        assert_eq!(one.sample(&[[20.5, 20.5], [100.5, 100.5]]).unwrap(), [0.0, 1.0]);
        assert_eq!(other.read().unwrap(), before);
    }
}

#[test]
fn auto_never_selects_software_devices() {
    let on = Executor::open(DeviceChoice::Auto).unwrap();
    match on.device() {
        Some(device) => assert_ne!(device.info().class, throng_device::DeviceClass::Software),
        None => {
            assert!(on.label() == "cpu" && on.reason().contains("there is no GPU"), "{}", on.reason());
        }
    }
    two_discs(&on).read().unwrap();
}
