//! Link volumes, counted on the device, with one buffer per time bin.

use throng_device::{Buffer, Device, DeviceError, Pending};

use crate::prepare::layout::Layout;
use throng_traffic_scenario::VolumeBin;
use throng_traffic_scenario::volumes::{add, bin_of};

/// Maximum number of bins in flight to the host; older bins have arrived long ago.
const MAX_IN_FLIGHT: usize = 2;

/// Counts of the vehicles that leave each link, per time bin.
pub(super) struct Volumes<'a> {
    layout: &'a Layout,
    /// Length of a bin, seconds; `None` if nothing is counted.
    bin_s: Option<f64>,
    /// The bin of the steps that are being submitted.
    bin: i64,
    /// Counts of the current bin, by executor link index; a single zero if nothing is counted.
    counts: Buffer<u32>,
    arriving: Vec<(i64, Pending<u32>)>,
    arrived: Vec<VolumeBin>,
}

impl<'a> Volumes<'a> {
    pub fn new(device: &Device, layout: &'a Layout, bin_s: Option<f64>, start: f64) -> Result<Self, DeviceError> {
        let links = if bin_s.is_some() { layout.from.len() } else { 0 };
        let counts = device.upload("link volumes", &vec![0; links])?;
        let bin = bin_s.map_or(0, |bin_s| bin_of(start, bin_s));
        Ok(Self { layout, bin_s, bin, counts, arriving: Vec::new(), arrived: Vec::new() })
    }

    /// Returns the buffer in which kernels count.
    pub fn counts(&self) -> &Buffer<u32> {
        &self.counts
    }

    /// Whether a step at `time` belongs to the current bin.
    pub fn is_current_bin(&self, time: f64) -> bool {
        self.bin_s.is_none_or(|bin_s| bin_of(time, bin_s) == self.bin)
    }

    /// Advances to the bin of `time`.
    pub fn advance_to(&mut self, device: &Device, time: f64) -> Result<(), DeviceError> {
        let Some(bin_s) = self.bin_s.filter(|_| !self.is_current_bin(time)) else { return Ok(()) };
        let zeros = device.upload("link volumes", &vec![0; self.layout.from.len()])?;
        let full = std::mem::replace(&mut self.counts, zeros);
        self.arriving.push((self.bin, device.read_later(&full)?));
        self.bin = bin_of(time, bin_s);
        if self.arriving.len() > MAX_IN_FLIGHT {
            let (bin, counts) = self.arriving.remove(0);
            self.take(bin, &counts.wait()?);
        }
        Ok(())
    }

    /// Returns all bins in which any vehicle left a link.
    pub fn finish(mut self, device: &Device) -> Result<Vec<VolumeBin>, DeviceError> {
        if self.bin_s.is_some() {
            self.arriving.push((self.bin, device.read_later(&self.counts)?));
            for (bin, counts) in std::mem::take(&mut self.arriving) {
                self.take(bin, &counts.wait()?);
            }
        }
        Ok(self.arrived)
    }

    fn take(&mut self, bin: i64, counts: &[u32]) {
        if counts.iter().any(|&count| count > 0) {
            let links = self.layout.link_external.iter().copied();
            add(&mut self.arrived, self.layout.from.len(), bin, links.zip(counts.iter().copied()));
        }
    }
}
