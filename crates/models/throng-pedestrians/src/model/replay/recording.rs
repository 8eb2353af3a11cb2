//! A stored run as a recording.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_scene::colours::{category, sequential, slow_to_fast};
use throng_scene::{Camera, Capsule, OrientedBox, Recording, Rgb, Scene, TimeAxis, TimeUnit, ground};

use super::super::scenario::Scenario;
use super::density::densities;
use super::plan::Plan;
use throng_model::replay::{InterpolatedAgent, Motion, capsule_height, room};

/// The quantity shown by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colouring {
    Speed,
    Group,
    Heading,
    Density,
    Id,
}

/// Colour of pedestrians whose value is unknown.
const UNKNOWN: Rgb = [0.4; 3];
/// Height of the plate that shows a body which changes its size, m.
const BODY_M: f64 = 0.1;
const HEADINGS: [&str; 8] = ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"];

/// A stored run with a colouring.
#[derive(Debug)]
pub struct CrowdRecording {
    title: String,
    plan: Plan,
    motion: Motion,
    colouring: Colouring,
    periodic_m: Option<[f64; 2]>,
    /// Speed of one step along an axis per tick, m/s.
    fast_mps: f64,
    /// Density of one pedestrian per space unit, per square metre.
    max_per_m2: f64,
    /// Radius of pedestrians of unknown groups, m.
    radius_m: f64,
}

impl CrowdRecording {
    pub fn new(name: &str, scenario: &Scenario, plan: Plan, motion: Motion, colouring: Colouring) -> Self {
        let what = match colouring {
            Colouring::Speed => "speed",
            Colouring::Group => "group",
            Colouring::Heading => "heading",
            Colouring::Density => "density",
            Colouring::Id => "number",
        };
        let unit_m = scenario.space_unit_m;
        Self {
            title: format!("{name}: persons by {what}"),
            periodic_m: plan.periodic_m(scenario),
            plan,
            motion,
            colouring,
            fast_mps: unit_m / scenario.tick_s,
            max_per_m2: 1.0 / (unit_m * unit_m),
            radius_m: (unit_m / 2.0).min(0.25),
        }
    }

    fn colours(&self, persons: &[InterpolatedAgent]) -> Vec<Rgb> {
        let [_, _, interval_s] = self.motion.times();
        let colour = |person: &InterpolatedAgent| match self.colouring {
            Colouring::Speed => person
                .displacement_m
                .map_or(UNKNOWN, |displacement_m| slow_to_fast(displacement_m / interval_s / self.fast_mps)),
            Colouring::Group => self.plan.group_of(person.id).map_or(UNKNOWN, category),
            Colouring::Heading => category(heading(person.orientation)),
            Colouring::Density | Colouring::Id => category((person.id % 10) as usize),
        };
        if self.colouring == Colouring::Density {
            let densities = densities(persons, self.periodic_m).into_iter();
            return densities.map(|density| sequential(density / self.max_per_m2)).collect();
        }
        persons.iter().map(colour).collect()
    }
}

/// Returns the index of the nearest of the eight directions, counter-clockwise from the east.
fn heading([x, y]: [f64; 2]) -> usize {
    let eighths = libm::atan2(y, x) / std::f64::consts::FRAC_PI_4;
    (eighths.round() as i64).rem_euclid(8) as usize
}

impl Recording for CrowdRecording {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn times(&self) -> TimeAxis {
        let [first, last, step] = self.motion.times();
        TimeAxis { first, last, step, unit: TimeUnit::Seconds }
    }

    fn camera(&self) -> Camera {
        let [width, height] = self.plan.size_m;
        // From a lower camera, walls would hide the pedestrians behind them.
        Camera::overview(ground(0.0, height, 0.0), ground(width, 0.0, 2.0), 60.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let mut legend = match self.colouring {
            Colouring::Speed => {
                let fast = self.fast_mps;
                vec![
                    (slow_to_fast(0.0), "0 m/s".to_owned()),
                    (slow_to_fast(0.5), format!("{:.2} m/s", fast / 2.0)),
                    (slow_to_fast(1.0), format!("{fast:.2} m/s or more")),
                    (UNKNOWN, "leaves before the next stored state".to_owned()),
                ]
            }
            Colouring::Group => {
                let names = self.plan.groups.iter().enumerate();
                names.map(|(number, (_, name, _))| (category(number), name.clone())).collect()
            }
            Colouring::Heading => {
                HEADINGS.iter().enumerate().map(|(number, name)| (category(number), format!("to the {name}"))).collect()
            }
            Colouring::Density => [0.0, 0.5, 1.0]
                .map(|fraction| (sequential(fraction), format!("{:.1} persons/m²", fraction * self.max_per_m2)))
                .to_vec(),
            Colouring::Id => vec![([1.0; 3], "each person has one of ten colours".to_owned())],
        };
        legend.extend(self.plan.legend());
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        let [first, last, _] = self.motion.times();
        let time_s = time.clamp(first, last);
        let persons = self.motion.at(time_s)?;
        let sizes: BTreeMap<u64, [f64; 2]> = self.motion.sizes(time_s)?.into_iter().collect();
        let capsule = |(person, albedo): (&InterpolatedAgent, Rgb)| {
            let [x, y] = person.position;
            let of_group = self.plan.group_of(person.id).map_or(self.radius_m, |group| self.plan.groups[group].2);
            let radius = sizes.get(&person.id).map_or(of_group, |[x, y]| of_group.min(x.min(*y) / 2.0));
            Capsule::standing(ground(x, y, 0.0), radius, capsule_height(person.id), albedo)
        };
        let colours = self.colours(&persons);
        let body = |(person, albedo): (&InterpolatedAgent, &Rgb)| {
            let [half_x, half_y] = sizes.get(&person.id)?.map(|side| side / 2.0);
            let [x, y] = person.position;
            let [from, to] = [ground(x - half_x, y - half_y, 0.0), ground(x + half_x, y + half_y, BODY_M)];
            Some(OrientedBox::between(from, to, *albedo))
        };
        let mut boxes = self.plan.boxes(time_s);
        boxes.extend(persons.iter().zip(&colours).filter_map(body));
        Ok(Scene { capsules: persons.iter().zip(colours).map(capsule).collect(), boxes, ..room(self.plan.size_m) })
    }
}
