//! Conversion of queues to words for a device, and back.

use super::fifo::{COUNT, END, EP, LEN, POS, START};
use crate::strippgen::rules::ring_slot;
use crate::strippgen::state::{Lists, Vehicle};
use crate::strippgen::variant::Layout;

/// Bookkeeping words and vehicle words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packed {
    pub admin: Vec<u32>,
    pub vehicles: Vec<u32>,
}

/// Index of a field of a link, as in the kernels.
fn word(layout: Layout, links: usize, link: usize, field: u32) -> usize {
    if layout == Layout::Aos { link * 3 + field as usize } else { field as usize * links + link }
}

/// Packs `lists` with the capacities `rooms`.
pub(super) fn pack(layout: Layout, rooms: &[u32], lists: &Lists) -> Packed {
    let links = rooms.len();
    let mut admin = vec![0; links * layout.fields() as usize];
    let mut vehicles = Vec::new();
    for (link, &room) in rooms.iter().enumerate() {
        let start = vehicles.len() as u32 / 2;
        let list = lists.of(link);
        let filled = list.len() as u32;
        let fields = match layout {
            Layout::Ring => vec![(START, start), (LEN, room), (EP, 0), (COUNT, filled)],
            Layout::Aos | Layout::Soa => vec![(START, start), (POS, start + filled), (END, start + room)],
        };
        for (field, value) in fields {
            admin[word(layout, links, link, field)] = value;
        }
        vehicles.extend(list.iter().flat_map(|vehicle| [vehicle.agent, vehicle.depart]));
        vehicles.resize(2 * (start + room) as usize, 0);
    }
    Packed { admin, vehicles }
}

/// Unpacks the lists of `links` links.
pub(super) fn unpack(layout: Layout, links: usize, packed: &Packed) -> Lists {
    let field = |link, field| packed.admin[word(layout, links, link, field)];
    let vehicle = |slot: u32| {
        let at = 2 * slot as usize;
        Vehicle { agent: packed.vehicles[at], depart: packed.vehicles[at + 1] }
    };
    Lists::collect(links, |link| {
        let start = field(link, START);
        let slots: Vec<u32> = match layout {
            Layout::Ring => {
                let (ep, len) = (field(link, EP), field(link, LEN));
                (0..field(link, COUNT)).map(|k| ring_slot(start, ep, k, len)).collect()
            }
            Layout::Aos | Layout::Soa => (start..field(link, POS)).collect(),
        };
        slots.into_iter().map(vehicle)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_lists_are_unpacked_unchanged() {
        let vehicle = |agent| Vehicle { agent, depart: 10 + agent };
        let lists = Lists { first: vec![0, 2, 2, 3], vehicles: vec![vehicle(5), vehicle(6), vehicle(7)] };
        for layout in [Layout::Aos, Layout::Soa, Layout::Ring] {
            let packed = pack(layout, &[3, 1, 1], &lists);
            assert_eq!(packed.vehicles, [5, 15, 6, 16, 0, 0, 0, 0, 7, 17]);
            assert_eq!(unpack(layout, 3, &packed), lists);
        }
        assert_eq!(pack(Layout::Aos, &[3, 1, 1], &lists).admin, [0, 2, 3, 3, 3, 4, 4, 5, 5]);
        assert_eq!(pack(Layout::Soa, &[3, 1, 1], &lists).admin, [0, 3, 4, 2, 3, 5, 3, 4, 5]);
    }
}
