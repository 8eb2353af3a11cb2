//! Link volumes: how many vehicles leave each link for the next one, counted by the executor, without events.

/// Returns the time bin that contains a time, counted from midnight; a single bin if the length is not positive.
pub fn bin_of(time: f64, bin_s: f64) -> i64 {
    if bin_s > 0.0 { (time / bin_s).floor() as i64 } else { 0 }
}

/// Number of vehicles that left each link in a time bin. As in MATSim's link volumes, arrivals on a link do not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumeBin {
    /// Index of the bin: multiplied by the bin length it gives the start of the bin, seconds of the day.
    pub bin: i64,
    /// Number of vehicles, by link index of the scenario.
    pub vehicles: Vec<u32>,
}

/// Adds the counts of some links to a bin, which is created if necessary. Bins stay in order.
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
