//! A stored day as a recording.

use throng_core::InputError;
use throng_scene::colours::{category, slow_to_fast};
use throng_scene::{Camera, Light, OrientedBox, Plane, Recording, Rgb, Scene, TimeAxis, TimeUnit};
use throng_traffic_scenario::Network;

use super::queues::{PositionedVehicle, position_vehicles};
use super::roads::Roads;
use super::stay_reader::Stay;
use super::stays::Stays;
use super::volumes::Volumes;

/// The quantity that is shown by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colouring {
    Speed,
    Volume,
    Delay,
    Id,
}

const GROUND: Rgb = [0.72, 0.72, 0.7];
const ROAD: Rgb = [0.3, 0.3, 0.32];
/// Colour of legend entries that do not explain a colour.
const TEXT: Rgb = [1.0; 3];
/// Time lost at which a vehicle gets the colour of the longest delays, s.
const LONG_DELAY_S: f64 = 300.0;

/// A stored day with a colouring.
#[derive(Debug)]
pub struct TrafficRecording {
    title: String,
    roads: Roads,
    /// The boxes of all links that are shown, with their link indices.
    links: Vec<(usize, OrientedBox)>,
    stays: Stays,
    colouring: Colouring,
    step_s: f64,
    times: TimeAxis,
    /// Only with [`Colouring::Volume`]: the volumes, and the flow capacity of each link in vehicles per hour.
    volumes: Option<(Volumes, Vec<f64>)>,
}

impl TrafficRecording {
    /// Creates the recording of a day of a scenario. Stays are in the order in which they begin; flow capacities are
    /// multiplied by a factor.
    pub fn new(
        scenario: &str,
        network: &Network,
        stays: Vec<Stay>,
        colouring: Colouring,
        step_s: f64,
        flow_capacity_factor: f64,
    ) -> Self {
        let what = match colouring {
            Colouring::Speed => "vehicles by speed",
            Colouring::Volume => "links by volume",
            Colouring::Delay => "vehicles by time lost",
            Colouring::Id => "vehicles",
        };
        let volumes = (colouring == Colouring::Volume).then(|| {
            let per_hour = flow_capacity_factor * 3600.0 / network.capacity_period_s;
            let capacities = network.capacity.iter().map(|capacity| capacity * per_hour).collect();
            (Volumes::new(&stays, network.links()), capacities)
        });
        let roads = Roads::new(network);
        let links = (0..network.links()).filter_map(|link| Some((link, roads.link_box(link, ROAD)?))).collect();
        let first = stays.first().map_or(0.0, |stay| f64::from(stay.enter_s));
        let last = stays.iter().fold(first, |last, stay| last.max(stay.leave_s.into()));
        Self {
            title: format!("{scenario}: {what}"),
            roads,
            links,
            stays: Stays::new(stays),
            colouring,
            step_s,
            times: TimeAxis { first, last, step: step_s, unit: TimeUnit::TimeOfDay },
            volumes,
        }
    }

    /// Returns the vehicles on links at a time, link by link.
    pub(super) fn vehicles(&self, time_s: f64) -> Vec<PositionedVehicle> {
        let mut stays = self.stays.at(time_s);
        stays.sort_by_key(|stay| stay.link);
        let on_link = |stays: &[Stay]| {
            let (length_m, lanes) = self.roads.lanes(stays.first()?.link)?;
            Some(position_vehicles(stays.to_vec(), length_m, lanes, time_s))
        };
        stays.chunk_by(|a, b| a.link == b.link).filter_map(on_link).flatten().collect()
    }

    /// Returns the colour of a vehicle at a time.
    fn colour(&self, stay: &Stay, time_s: f64) -> Rgb {
        match self.colouring {
            Colouring::Speed => slow_to_fast(stay.speed_share(self.step_s)),
            Colouring::Delay => slow_to_fast(1.0 - stay.lost_at(time_s, self.step_s) / LONG_DELAY_S),
            Colouring::Id | Colouring::Volume => category(stay.vehicle as usize),
        }
    }

    fn link_boxes(&self, time_s: f64) -> Vec<OrientedBox> {
        let Some((volumes, capacities)) = &self.volumes else {
            return self.links.iter().map(|&(_, link)| link).collect();
        };
        let coloured = |&(link, shape): &(usize, OrientedBox)| {
            let per_hour = volumes.per_hour(link, time_s);
            let albedo = if per_hour > 0.0 { slow_to_fast(1.0 - per_hour / capacities[link]) } else { ROAD };
            OrientedBox { albedo, ..shape }
        };
        self.links.iter().map(coloured).collect()
    }
}

impl Recording for TrafficRecording {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn times(&self) -> TimeAxis {
        self.times
    }

    fn camera(&self) -> Camera {
        let [x, y] = self.roads.half_size;
        Camera::overview([-x, 0.0, -y], [x, 0.0, y], 60.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let scale = |texts: [&str; 3]| -> Vec<(Rgb, String)> {
            let shares = [0.0, 0.5, 1.0].into_iter();
            shares.zip(texts).map(|(share, text)| (slow_to_fast(share), text.to_owned())).collect()
        };
        let mut legend = match self.colouring {
            Colouring::Speed => scale(["stands", "half the free speed", "free speed"]),
            Colouring::Delay => scale(["has lost 5 minutes or more", "2.5 minutes", "no time lost"]),
            Colouring::Volume => {
                let mut legend = scale(["at the flow capacity", "half of it", "hardly used"]);
                legend.push((ROAD, "no vehicle in the last 15 minutes".to_owned()));
                legend
            }
            Colouring::Id => vec![(TEXT, "each vehicle has one of ten colours".to_owned())],
        };
        if self.roads.enlarged > 1.0 {
            let factor = shown_factor(self.roads.enlarged);
            let what = if self.volumes.is_some() { "lanes drawn" } else { "vehicles and lanes drawn" };
            let how = if self.volumes.is_some() { "as wide" } else { "as large" };
            legend.push((TEXT, format!("{what} {factor} times {how}")));
        }
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        let time_s = time.clamp(self.times.first, self.times.last);
        let mut boxes = self.link_boxes(time_s);
        if self.colouring != Colouring::Volume {
            let vehicles = self.vehicles(time_s);
            let shape =
                |vehicle: &PositionedVehicle| self.roads.vehicle_box(vehicle, self.colour(&vehicle.stay, time_s));
            boxes.extend(vehicles.iter().filter_map(shape));
        }
        let extent = self.roads.half_size[0].max(self.roads.half_size[1]);
        let sun = Light { position: [-3.0 * extent, 6.0 * extent, 4.0 * extent], ..Light::default() };
        Ok(Scene {
            ambient: [0.3; 3],
            lights: vec![sun],
            planes: vec![Plane { albedo: GROUND, ..Plane::default() }],
            boxes,
            ..Scene::default()
        })
    }
}

/// Formats a factor with two digits, or without decimals if it is at least 10.
fn shown_factor(factor: f64) -> String {
    if factor < 9.95 { format!("{factor:.1}") } else { format!("{factor:.0}") }
}
