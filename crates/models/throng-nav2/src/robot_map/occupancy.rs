//! Conversion from the pixels of a map to occupancies and costs, by the rules of Nav2's map server and static layer,
//! and from costs to the occupancies that Nav2 publishes.

use throng_pictures::files::image::{Image, Pixel};

use super::{Mode, RobotMap};
use crate::{FREE_SPACE, INSCRIBED_INFLATED_OBSTACLE, LETHAL_OBSTACLE, NO_INFORMATION, RosDistro};

/// The occupancy of an occupied cell.
const OCCUPIED: u8 = 100;
/// The occupancy published for inscribed cells.
const INSCRIBED: u8 = 99;
/// The occupancy of an unknown cell: -1 in 8 bits.
const UNKNOWN: u8 = 255;

impl RobotMap {
    /// Converts an image to occupancies, the lowest row first.
    pub fn occupancies(&self, image: &Image, distro: RosDistro) -> impl Iterator<Item = u8> {
        let has_alpha = image.has_alpha();
        image.upwards().map(move |pixel| match distro {
            RosDistro::Humble => self.occupancy_in_humble(pixel, has_alpha),
            RosDistro::Jazzy | RosDistro::Lyrical => self.occupancy_from_jazzy(pixel),
        })
    }

    /// Uses double precision, exclusive thresholds and the mean of the colours.
    fn occupancy_in_humble(&self, pixel: Pixel, has_alpha: bool) -> u8 {
        let shade = if self.mode == Mode::Trinary && has_alpha {
            // The map server treats opacity as a fourth colour.
            f64::from(pixel.sum() + u16::from(pixel.opacity)) / (4.0 * 255.0)
        } else {
            f64::from(pixel.sum()) / (3.0 * 255.0)
        };
        let occupied = if self.negate { shade } else { 1.0 - shade };
        match self.mode {
            Mode::Raw => raw((shade * 255.0).round() as u8),
            Mode::Scale if pixel.opacity < 255 => UNKNOWN,
            _ if occupied > self.occupied_thresh => OCCUPIED,
            _ if occupied < self.free_thresh => 0,
            Mode::Trinary => UNKNOWN,
            Mode::Scale => {
                let fraction = (occupied - self.free_thresh) / (self.occupied_thresh - self.free_thresh);
                (fraction * 100.0).round_ties_even() as u8
            }
        }
    }

    /// Uses single precision, inclusive thresholds and the luma of the colours.
    fn occupancy_from_jazzy(&self, pixel: Pixel) -> u8 {
        if self.mode == Mode::Raw {
            return raw(pixel.luma());
        }
        if pixel.opacity < 255 {
            return UNKNOWN;
        }
        let shade = f32::from(pixel.luma()) / 255.0;
        let occupied = if self.negate { shade } else { 1.0 - shade };
        let free_thresh = self.free_thresh as f32;
        match self.mode {
            _ if occupied <= free_thresh => 0,
            _ if occupied >= self.occupied_thresh as f32 => OCCUPIED,
            Mode::Scale => {
                let range = (self.occupied_thresh - self.free_thresh) as f32;
                ((occupied - free_thresh) / range * 100.0).round() as u8
            }
            Mode::Trinary | Mode::Raw => UNKNOWN,
        }
    }
}

/// The occupancy of a pixel in `raw` mode.
fn raw(pixel: u8) -> u8 {
    if pixel <= OCCUPIED { pixel } else { UNKNOWN }
}

/// Converts an occupancy to a cost as Nav2's static layer does with `trinary_costmap: false`,
/// `track_unknown_space: true` and `lethal_cost_threshold: 100`: 100 and above is an obstacle, lower is proportional.
/// `trinary_costmap` does not affect 0, 100 and unknown, nor 99 since Lyrical. 99 is published for inscribed cells, and
/// distributions before Lyrical convert it to a cost of 251.
pub fn cost_of(occupancy: u8, distro: RosDistro) -> u8 {
    match occupancy {
        UNKNOWN => NO_INFORMATION,
        OCCUPIED.. => LETHAL_OBSTACLE,
        INSCRIBED if distro == RosDistro::Lyrical => INSCRIBED_INFLATED_OBSTACLE,
        below => (f64::from(below) / f64::from(OCCUPIED) * f64::from(LETHAL_OBSTACLE)) as u8,
    }
}

/// Converts a cost to the occupancy that Nav2 publishes: 98 levels for costs from 1 to 252, 99 for inscribed cells.
pub fn occupancy_of(cost: u8) -> u8 {
    match cost {
        NO_INFORMATION => UNKNOWN,
        LETHAL_OBSTACLE => OCCUPIED,
        INSCRIBED_INFLATED_OBSTACLE => INSCRIBED,
        FREE_SPACE => 0,
        _ => (1 + 97 * (u16::from(cost) - 1) / 251) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_pictures::files::image::Channels;

    const MAP: &str =
        "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

    fn map(mode: Mode) -> RobotMap {
        RobotMap { mode, ..RobotMap::parse(MAP).unwrap() }
    }

    fn grey(values: &[u8]) -> Image {
        Image { width: values.len() as u32, height: 1, channels: Channels::Grey, bytes: values.to_vec() }
    }

    fn found(map: &RobotMap, image: &Image) -> [Vec<u8>; 2] {
        let [humble, jazzy, lyrical] = [RosDistro::Humble, RosDistro::Jazzy, RosDistro::Lyrical]
            .map(|distro| map.occupancies(image, distro).collect::<Vec<u8>>());
        assert_eq!(jazzy, lyrical);
        [humble, jazzy]
    }

    #[test]
    fn modes_match_the_map_server() {
        let trinary = map(Mode::Trinary);
        // The values written by a map saver: occupied, unknown, free; 1 - 89 / 255 = 0.651, 1 - 90 / 255 = 0.647.
        let expected = vec![100, 255, 0, 100, 255, 0];
        assert_eq!(found(&trinary, &grey(&[0, 205, 254, 89, 90, 206])), [expected.clone(), expected]);
        let negated = RobotMap { negate: true, ..trinary.clone() };
        assert_eq!(found(&negated, &grey(&[0, 205, 100])), [[0, 100, 255]; 2]);
        // (1 - 150 / 255 - 0.196) / (0.65 - 0.196) = 0.475.
        assert_eq!(found(&map(Mode::Scale), &grey(&[0, 150, 254])), [[100, 48, 0]; 2]);
        let raw = RobotMap { negate: true, ..map(Mode::Raw) };
        assert_eq!(found(&raw, &grey(&[0, 1, 99, 100, 101, 255])), [[0, 1, 99, 100, 255, 255]; 2]);
        // The upper row of an image comes last.
        let two = Image { width: 1, height: 2, ..grey(&[0, 254]) };
        assert_eq!(found(&trinary, &two), [[0, 100]; 2]);
    }

    #[test]
    fn thresholds_are_exclusive_in_humble_and_inclusive_since_jazzy() {
        // 1 - 102 / 255 = 0.6 and 1 - 153 / 255 = 0.4, also in single precision.
        let image = grey(&[102, 153]);
        let limits = |mode| RobotMap { occupied_thresh: 0.6, free_thresh: 0.4, ..map(mode) };
        assert_eq!(found(&limits(Mode::Trinary), &image), [[255, 255], [100, 0]]);
        assert_eq!(found(&limits(Mode::Scale), &image), [[100, 0]; 2]);
    }

    #[test]
    fn colours_and_opacity_are_converted_as_in_each_ros_distribution() {
        let of = |channels, bytes: &[u8]| Image { channels, bytes: bytes.to_vec(), ..grey(&[0]) };
        // Pure green: a mean of 85, a luma of 182; 1 - 85 / 255 = 0.67 is occupied, 1 - 182 / 255 = 0.29 is not.
        let green = of(Channels::Colour, &[0, 255, 0]);
        assert_eq!(found(&map(Mode::Trinary), &green), [[100], [255]]);
        assert_eq!(found(&map(Mode::Raw), &green), [[85], [255]]);
        // Black and opaque, in an image with alpha: (0 + 0 + 0 + 255) / 4.
        let opaque = of(Channels::ColourAndAlpha, &[0, 0, 0, 255]);
        let high = RobotMap { occupied_thresh: 0.9, ..map(Mode::Trinary) };
        assert_eq!(found(&high, &opaque), [[255], [100]]);
        // White and transparent: (3 * 255 + 0) / 4, or unknown because of its opacity.
        let clear = of(Channels::ColourAndAlpha, &[255, 255, 255, 0]);
        let low = RobotMap { free_thresh: 0.3, ..map(Mode::Trinary) };
        assert_eq!(found(&low, &clear), [[0], [255]]);
        assert_eq!(found(&map(Mode::Scale), &clear), [[255]; 2]);
        assert_eq!(found(&map(Mode::Raw), &of(Channels::GreyAndAlpha, &[7, 0])), [[7]; 2]);
    }

    #[test]
    fn costs_and_occupancies_are_converted() {
        assert_eq!([0, 1, 3, 252, 253, 254, 255].map(occupancy_of), [0, 1, 1, 98, 99, 100, 255]);
        let costs = |distro| [0, 1, 50, 98, 99, 100, 255].map(|occupancy| cost_of(occupancy, distro));
        assert_eq!(costs(RosDistro::Lyrical), [0, 2, 127, 248, 253, 254, 255]);
        assert_eq!(costs(RosDistro::Jazzy), [0, 2, 127, 248, 251, 254, 255]);
        assert_eq!(costs(RosDistro::Humble), costs(RosDistro::Jazzy));
        // Every occupancy from 0 to 100 is published for some cost.
        let mut all: Vec<u8> = (0..255).map(occupancy_of).collect();
        all.dedup();
        assert_eq!(all, (0..=100).collect::<Vec<u8>>());
    }
}
