//! Link volumes: how many vehicles leave each link for the next one, counted in the executor, without events.

/// The time bin that contains a time, counted from midnight; a single bin if the length is not positive.
pub fn bin_of(time: f64, bin_s: f64) -> i64 {
    if bin_s > 0.0 { (time / bin_s).floor() as i64 } else { 0 }
}

/// Vehicles that left each link in a time bin; arrivals on a link do not count, as in MATSim's link volumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumeBin {
    /// The bin: its length times this is its start, seconds of the day.
    pub bin: i64,
    /// Vehicles, by link of the scenario.
    pub vehicles: Vec<u32>,
}

/// Adds the counts of some links to a bin, which is made if there is none. Bins stay in order.
pub fn add(bins: &mut Vec<VolumeBin>, links: usize, bin: i64, counts: impl Iterator<Item = (u32, u32)>) {
    let at = bins.partition_point(|other| other.bin < bin);
    if bins.get(at).is_none_or(|other| other.bin != bin) {
        bins.insert(at, VolumeBin { bin, vehicles: vec![0; links] });
    }
    for (link, count) in counts {
        bins[at].vehicles[link as usize] += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_parts_add_up_in_order_of_time() {
        let mut bins = Vec::new();
        add(&mut bins, 3, bin_of(3600.0, 900.0), [(0, 1), (2, 5)].into_iter());
        add(&mut bins, 3, bin_of(3599.0, 900.0), [(1, 2)].into_iter());
        add(&mut bins, 3, 4, [(2, 1)].into_iter());
        let bin = |bin, vehicles: [u32; 3]| VolumeBin { bin, vehicles: vehicles.to_vec() };
        assert_eq!(bins, [bin(3, [0, 2, 0]), bin(4, [1, 0, 6])]);
    }
}
