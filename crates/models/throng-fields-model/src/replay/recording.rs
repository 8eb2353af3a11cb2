//! The scenes of a stored run.

use throng_core::InputError;
use throng_fields_scenario::legend::STUCK;
use throng_pictures::{Colour, MAX_NAMES, ValueRange};
use throng_scene::{
    Camera, Capsule, Light, OrientedBox, Plane, Recording, Rgb, Scene, Sphere, TimeAxis, TimeUnit, colours, ground,
};

use super::agents::{AgentTable, PlacedAgent};
use super::description::{Description, Marked, Quantity, Rectangle};
use super::frames::FrameFile;
use super::surface::{Colours, Scale, Surface};

/// Sizes as fractions of the longer side of the map: the heights of walls and goals above the highest point under them,
/// the radii of entities and of the spheres of a ring, the radius and height of agents, and the distance of the ground
/// below the lowest value.
const WALL: f64 = 0.025;
const GOAL: f64 = 0.004;
const ENTITY: f64 = 0.012;
const BEAD: f64 = 0.004;
const AGENT: [f64; 2] = [0.0042, 0.021];
const GROUND: f64 = 0.004;
/// Number of spheres in a ring.
const BEADS: u8 = 32;

const WALL_COLOUR: Rgb = [0.045, 0.045, 0.05];
/// `GOAL_COLOUR` is for goals that no team may own, `FREE_GOAL_COLOUR` for those that no team owns at the moment.
const GOAL_COLOUR: Rgb = [0.1, 0.65, 0.2];
const FREE_GOAL_COLOUR: Rgb = [0.75; 3];
const GROUND_COLOUR: Rgb = [0.55, 0.58, 0.55];
/// A slightly bluish white.
const BACKGROUND: Rgb = [0.82, 0.88, 0.95];

/// The stored frames of a run.
#[derive(Debug)]
pub(super) struct FieldsRecording {
    description: Description,
    quantity: Quantity,
    frames: FrameFile,
    /// The teams of samples; `None` if values do not belong to teams.
    teams: Option<FrameFile>,
    /// `None` if the run has no agents.
    agents: Option<AgentTable>,
    scale: Scale,
    colours: Colours,
}

impl FieldsRecording {
    pub(super) fn new(
        description: Description,
        quantity: Quantity,
        (frames, teams): (FrameFile, Option<FrameFile>),
        agents: Option<AgentTable>,
    ) -> Self {
        let scale = Scale::new(&description, &quantity);
        let [low, high] = quantity.range;
        let range = ValueRange::new(low, high).expect("a description is checked when it is read");
        let colours = Colours::new(description.colours, range);
        let of_teams = || description.teams.iter().map(|(_, colour)| *colour).collect();
        let colours = if quantity.is_of_teams { colours.with_teams(of_teams()) } else { colours };
        Self { description, quantity, frames, teams, agents, scale, colours }
    }

    /// Time between two frames, in time units.
    fn frame_time(&self) -> f64 {
        f64::from(self.description.frame_every) * self.description.time_step
    }

    fn end(&self) -> f64 {
        f64::from(self.description.steps) * self.description.time_step
    }

    /// The frame shown at a time. The last frame, which may follow a shorter interval, is shown only at the end.
    fn frame_at(&self, time: f64) -> u64 {
        if time >= self.end() {
            return u64::MAX;
        }
        // The margin is for times that are a multiple of the interval but rounded below it. The cast turns negative
        // numbers and NaN into 0.
        (time / self.frame_time() + 1e-9) as u64
    }

    /// Boxes for blocks of cells, rising above the surface.
    fn blocks(&self, surface: &Surface, blocks: &[Rectangle], above: f64, albedo: Rgb) -> Vec<OrientedBox> {
        let width = self.scale.width();
        let block = |&rectangle: &Rectangle| {
            let corners = self.scale.corners(rectangle);
            let top = surface.highest(corners) + above * width;
            let [[x, y], [x1, y1]] = corners.map(|corner| self.scale.place(corner));
            OrientedBox::between(ground(x, y, -GROUND * width), ground(x1, y1, top), albedo)
        };
        blocks.iter().map(block).collect()
    }

    fn spheres(&self, surface: &Surface, time: f64) -> Vec<Sphere> {
        let width = self.scale.width();
        let mut spheres = Vec::new();
        for Marked { colour, ring, metric, path } in &self.description.entities {
            let at = path.patrol().map_or(path.points[0], |patrol| patrol.at(time.clamp(0.0, self.end())).0);
            let mut add = |point: [f64; 2], radius: f64| {
                let [x, y] = self.scale.place(point);
                let center = ground(x, y, surface.height(point) + radius);
                spheres.push(Sphere { center, radius, albedo: of_colour(*colour), reflectance: 0.1 });
            };
            match ring {
                None => add(at, ENTITY * width),
                Some(radius) => (0..BEADS).for_each(|bead| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(bead) / f64::from(BEADS));
                    let radius = f64::from(*radius) / metric.distance([cos, sin]);
                    add([at[0] + radius * cos, at[1] + radius * sin], BEAD * width);
                }),
            }
        }
        spheres
    }

    fn capsules(&self, surface: &Surface, time: f64) -> Result<Vec<Capsule>, InputError> {
        let Some(agents) = &self.agents else { return Ok(Vec::new()) };
        let [radius, height] = AGENT.map(|share| share * self.scale.width());
        let origin = self.description.origin;
        let standing = |agent: PlacedAgent| {
            let point = [agent.at[0] - origin[0], agent.at[1] - origin[1]];
            let [x, y] = self.scale.place(point);
            let colour = if agent.is_stuck { STUCK } else { self.description.groups[agent.group].colour };
            Capsule::standing(ground(x, y, surface.height(point)), radius, height, of_colour(colour))
        };
        // As in `frame_at`, a time that is a multiple of a step may be rounded below it.
        let step = time / self.description.time_step;
        let step = if (step - step.round()).abs() < 1e-6 { step.round() } else { step };
        Ok(agents.at(step)?.into_iter().map(standing).collect())
    }
}

/// A colour as in the images of a run.
fn of_colour(colour: Colour) -> Rgb {
    colours::of_screen(colour.rgb())
}

impl Recording for FieldsRecording {
    fn title(&self) -> String {
        self.description.title.clone()
    }

    fn times(&self) -> TimeAxis {
        TimeAxis { first: 0.0, last: self.end(), step: self.frame_time(), unit: TimeUnit::Seconds }
    }

    fn camera(&self) -> Camera {
        let [x, y] = self.scale.half();
        Camera::overview([-x, 0.0, -y], [x, self.scale.highest(), y], 48.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let Quantity { name, range: [low, high], is_of_teams, .. } = &self.quantity;
        let teams = &self.description.teams;
        let team = |(team, (name, _)): (usize, &(String, Colour))| {
            (self.colours.of(*high, Some(team)), format!("influence of {name}"))
        };
        let value = |value: f32| (self.colours.of(value, None), format!("{name} {value}"));
        let mut legend: Vec<(Rgb, String)> = if *is_of_teams {
            teams.iter().enumerate().take(MAX_NAMES).map(team).collect()
        } else {
            self.colours.shown().into_iter().map(value).collect()
        };
        if low < high
            && let Some(last) = legend.last_mut()
        {
            let (rises, unit) = (self.scale.highest(), &self.description.unit);
            last.1 = format!("{}; {low} to {high} is a height of {rises:.3} {unit}", last.1);
        }
        let named = self.description.legend.iter().map(|(name, colour)| (of_colour(*colour), name.clone()));
        legend.extend(named);
        let goals = &self.description.goals;
        if goals.iter().any(|goal| goal.may_be_owned) {
            let of_team = |(name, colour): &(String, Colour)| (of_colour(*colour), format!("goals of {name}"));
            legend.extend(teams.iter().take(MAX_NAMES).map(of_team));
            legend.push((FREE_GOAL_COLOUR, "goals of no team".to_owned()));
        }
        if goals.iter().any(|goal| !goal.may_be_owned) {
            legend.push((GOAL_COLOUR, "goals".to_owned()));
        }
        if !(self.description.walls.is_empty() && self.description.changing_walls.is_empty()) {
            legend.push((WALL_COLOUR, "walls".to_owned()));
        }
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        let frame = self.frame_at(time);
        let teams = self.teams.as_ref().map(|teams| teams.read(frame)).transpose()?.unwrap_or_default();
        let surface = Surface::new(self.scale, &self.frames.read(frame)?, &teams, &self.colours);
        let width = self.scale.width();
        let mut boxes = self.blocks(&surface, &self.description.walls, WALL, WALL_COLOUR);
        boxes.extend(self.blocks(&surface, self.description.changing_walls(frame), WALL, WALL_COLOUR));
        for goal in &self.description.goals {
            let colour = match goal.owner(frame) {
                Some(team) => of_colour(self.description.teams[team].1),
                None if goal.may_be_owned => FREE_GOAL_COLOUR,
                None => GOAL_COLOUR,
            };
            boxes.extend(self.blocks(&surface, &goal.cells, GOAL, colour));
        }
        Ok(Scene {
            background: BACKGROUND,
            ambient: [0.35; 3],
            lights: vec![Light { position: [-0.7 * width, 1.3 * width, 0.8 * width], ..Light::default() }],
            spheres: self.spheres(&surface, time),
            planes: vec![Plane { offset: -GROUND * width, albedo: GROUND_COLOUR, ..Plane::default() }],
            capsules: self.capsules(&surface, time)?,
            boxes,
            height_fields: vec![surface.shape()],
        })
    }
}
