//! Social fields: their parameters, and the tables with which executors compute.

use throng_core::{InputError, Problems};

use super::rules::decision::Weights;
use super::rules::direction::DIRECTIONS;
use super::rules::directional::Reading;
use super::rules::fixed::ONE;
use super::sector_map::SectorMap;

/// Maximum side length of a field, space units.
pub const MAX_FIELD_SIDE: u32 = 255;

/// Maximum absolute value of a score, so that a key, eight times as large, fits in 32 bits.
const MAX_SCORE: f64 = (1u32 << 27) as f64;
/// Maximum sum of field strengths, so that sums of four fit in 32 bits.
const MAX_SUM: f64 = (1u32 << 29) as f64;

/// Maximum decay exponent of traces, for the slowest decay. A trace is at most `2^decay` steps, which bounds sums.
const MAX_DECAY: u32 = 5;

/// Maximum duration of an exchange of places, ticks per tick of the walk period.
const MAX_EXCHANGE: u32 = 1000;

/// Maximum number of ticks after which a pedestrian that cannot move squeezes.
pub(crate) const MAX_SQUEEZE: u32 = 1000;

/// Strength of a field by distance: `factor * r^exponent` on ring `r` (Yu et al.), where `r` is the larger of the
/// distances along x and y in space units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The strength on ring 1.
    pub factor: f64,
    /// The exponent; negative for strengths that decrease with the distance.
    pub exponent: f64,
}

impl Strength {
    /// Returns the strength on a ring as a fixed-point number, rounded once. `libm` computes the power, so that all
    /// computers agree.
    pub fn on_ring(&self, ring: u32) -> f64 {
        libm::round(f64::from(ONE) * self.factor * libm::pow(f64::from(ring), self.exponent))
    }
}

impl Default for Strength {
    /// 1, 0.71 and 0.58 on the first three rings, as in figures 2 and 3 of Yu et al.
    fn default() -> Self {
        Self { factor: 1.0, exponent: -0.5 }
    }
}

/// Parameters of all fields of pedestrians. The weights are Throng's own: the paper has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldParameters {
    /// Columns and rows of a field, odd; 1 for no fields.
    pub size: u32,
    /// Direction for which each offset counts.
    pub map: SectorMap,
    /// Strength of the recurrent repulsive field (RR): away from others of any heading.
    pub crowd: Strength,
    /// Strength of the directional attractive field (DA): towards others with the same heading.
    pub same: Strength,
    /// Strength of the directional repulsive field (DR): away from oncoming pedestrians.
    pub oncoming: Strength,
    /// Pedestrians that are sources of DA and DR.
    pub reading: Reading,
    /// With 1 to 5, the sources of DA and DR are traces instead of pedestrians: each step leaves a trace of 1 in the
    /// space unit that is entered, and traces lose 1 / `2^trace_decay` of their strength in each tick. With 0, fields
    /// follow pedestrians immediately.
    pub trace_decay: u32,
    /// Strength of the omnidirectional attractive field (OA): towards exits.
    pub opening: Strength,
    /// Strength of the omnidirectional repulsive field (OR): away from walls.
    pub obstacle: Strength,
    /// Weight of the desired heading.
    pub heading_weight: f64,
    /// Weight of RR.
    pub crowd_weight: f64,
    /// Weight of DA.
    pub same_weight: f64,
    /// Weight of DR.
    pub oncoming_weight: f64,
    /// Weight of OA.
    pub opening_weight: f64,
    /// Weight of OR.
    pub obstacle_weight: f64,
    /// Weight of the direction to the right of the desired heading.
    pub side_weight: f64,
    /// Duration of an exchange of places, ticks per tick of the walk period; 0 for no exchanges. Two pedestrians that
    /// cannot move and stand straight ahead of each other exchange their places.
    pub exchange_ticks: u32,
    /// Number of ticks after which a pedestrian that is due and cannot move makes its body smaller, if its [limits] let
    /// it.
    ///
    /// [limits]: super::BodyLimits
    pub squeeze_after_ticks: u32,
    /// Whether diagonal steps take 1.41 times as long as steps along an axis, rounded to whole ticks.
    pub equal_speeds: bool,
    /// Threshold: a direction is taken only if its score is above this.
    pub threshold: f64,
}

impl Default for FieldParameters {
    fn default() -> Self {
        Self {
            size: 7,
            map: SectorMap::default(),
            crowd: Strength::default(),
            same: Strength::default(),
            oncoming: Strength::default(),
            reading: Reading::default(),
            trace_decay: 0,
            opening: Strength::default(),
            obstacle: Strength::default(),
            heading_weight: 1.0,
            crowd_weight: 0.05,
            same_weight: 0.02,
            oncoming_weight: 0.10,
            opening_weight: 0.0,
            obstacle_weight: 0.0,
            side_weight: 0.0,
            exchange_ticks: 0,
            squeeze_after_ticks: 3,
            equal_speeds: false,
            threshold: 0.0,
        }
    }
}

/// Upper bound on the sum of the strengths of a field, a fixed-point number.
struct SumBound {
    name: &'static str,
    factor: f64,
    sum: f64,
    weight: f64,
}

/// Returns the sum of the strengths, given by ring, of sources in all space units around a reader.
fn of_space_units(rings: &[f64]) -> f64 {
    rings.iter().zip(0u32..).map(|(strength, ring)| f64::from(8 * ring) * strength).sum()
}

/// Reports fields whose sums or scores would not fit in 32 bits. `others`: the largest sum of the weights of terms that
/// are not fields.
fn report_sums(fields: &[SumBound], others: f64, problems: &mut Problems) {
    for SumBound { name, factor, sum, .. } in fields.iter().filter(|field| field.sum > MAX_SUM) {
        let found = format!("{factor}: strengths of a field sum up to {:.0}", sum / f64::from(ONE));
        let remedy = format!("at most {:.0}: use a smaller factor", MAX_SUM / f64::from(ONE));
        problems.push(format!("{name}_strength"), found, remedy);
    }
    let score = others * f64::from(ONE) + fields.iter().map(|field| field.sum * field.weight).sum::<f64>();
    if score > MAX_SCORE {
        let found = format!("scores of up to {:.0}", score / f64::from(ONE));
        let remedy = format!("at most {:.0}: use smaller weights or strengths", MAX_SCORE / f64::from(ONE));
        problems.push("weights", found, remedy);
    }
}

/// The sector of the centre of a field.
pub(super) const CENTRE: u8 = DIRECTIONS as u8;

/// The tables with which executors compute.
#[derive(Debug, Clone)]
pub struct FieldTables {
    /// Distance from the centre to the outermost ring, space units.
    pub(super) radius: i32,
    pub(super) map: SectorMap,
    /// The sector of each offset, row by row from the lower left.
    sectors: Vec<u8>,
    /// Strengths of RR, DA and DR by ring, fixed-point numbers; 0 on ring 0.
    pub(super) strengths: [Vec<i32>; 3],
    /// Strengths of OA and OR by ring, and their weights.
    pub(super) fixed: [(Vec<i32>, i32); 2],
    pub(super) weights: Weights,
    pub(super) reading: Reading,
    /// See [`FieldParameters::trace_decay`].
    pub(super) trace_decay: u32,
    pub(super) exchange_ticks: u32,
    pub(super) squeeze_after: u32,
    pub(super) equal_speeds: bool,
}

impl FieldTables {
    /// Creates the tables of these parameters. Errors are located by the keys of a scenario, such as `field_size`.
    ///
    /// # Errors
    /// All parameters that are out of range, or so large that sums would not fit in 32 bits.
    pub fn new(parameters: &FieldParameters) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let FieldParameters { size, map, .. } = *parameters;
        if size.is_multiple_of(2) || size > MAX_FIELD_SIDE {
            let remedy = format!("give an odd number from 1 to {MAX_FIELD_SIDE}");
            problems.push("field_size", size.to_string(), remedy);
        }
        let strengths = [
            ("crowd", parameters.crowd, parameters.crowd_weight),
            ("same", parameters.same, parameters.same_weight),
            ("oncoming", parameters.oncoming, parameters.oncoming_weight),
            ("opening", parameters.opening, parameters.opening_weight),
            ("obstacle", parameters.obstacle, parameters.obstacle_weight),
        ];
        let weights = strengths.map(|(name, _, weight)| (name, weight)).into_iter();
        for (name, weight) in weights.chain([("heading", parameters.heading_weight), ("side", parameters.side_weight)])
        {
            if !(0.0..=1000.0).contains(&weight) {
                problems.push(format!("{name}_weight"), weight.to_string(), "give a number from 0 to 1000");
            }
        }
        for (name, Strength { factor, exponent }, _) in strengths {
            if !(0.0..=1000.0).contains(&factor) {
                problems.push(format!("{name}_strength"), factor.to_string(), "give a number from 0 to 1000");
            }
            if !(-10.0..=2.0).contains(&exponent) {
                problems.push(format!("{name}_exponent"), exponent.to_string(), "give a number from -10 to 2");
            }
        }
        let threshold = parameters.threshold;
        if !(-1000.0..=1000.0).contains(&threshold) {
            problems.push("threshold", threshold.to_string(), "give a number from -1000 to 1000");
        }
        if parameters.exchange_ticks > MAX_EXCHANGE {
            let remedy = format!("give a number from 0 (no exchanges) to {MAX_EXCHANGE}");
            problems.push("exchange_ticks", parameters.exchange_ticks.to_string(), remedy);
        }
        let squeeze_after = parameters.squeeze_after_ticks;
        if !(1..=MAX_SQUEEZE).contains(&squeeze_after) {
            problems.push("squeeze_after_ticks", squeeze_after.to_string(), format!("give 1 to {MAX_SQUEEZE} ticks"));
        }
        if parameters.trace_decay > MAX_DECAY {
            let remedy = format!("give a number from 0 (no traces) to {MAX_DECAY}");
            problems.push("trace_decay", parameters.trace_decay.to_string(), remedy);
        }
        problems.into_result()?;

        let mut problems = Problems::new();
        let radius = size as i32 / 2;
        let mut greatest = Vec::new();
        let mut by_ring = Vec::new();
        for (name, strength, weight) in strengths {
            let rings = (1..=radius as u32).map(|ring| strength.on_ring(ring));
            let rings: Vec<f64> = std::iter::once(0.0).chain(rings).collect();
            // A trace where a pedestrian enters in every tick reaches this multiple of a pedestrian's strength.
            let multiple = if ["same", "oncoming"].contains(&name) { 1u32 << parameters.trace_decay } else { 1 };
            let sum = of_space_units(&rings) * f64::from(multiple);
            greatest.push(SumBound { name, factor: strength.factor, sum, weight });
            by_ring.push(rings.into_iter().map(|strength| strength as i32).collect());
        }
        report_sums(&greatest, parameters.heading_weight + parameters.side_weight, &mut problems);
        problems.into_result()?;

        let sector = |x: i32, y: i32| map.sector(x, y).map_or(CENTRE, |sector| sector as u8);
        let sectors = (-radius..=radius).flat_map(|y| (-radius..=radius).map(move |x| sector(x, y))).collect();
        let fixed = |value: f64| libm::round(value * f64::from(ONE)) as i32;
        let weights = Weights {
            heading: fixed(parameters.heading_weight),
            crowd: fixed(parameters.crowd_weight),
            same: fixed(parameters.same_weight),
            oncoming: fixed(parameters.oncoming_weight),
            side: fixed(parameters.side_weight),
            threshold: fixed(threshold),
        };
        let [crowd, same, oncoming, opening, obstacle]: [Vec<i32>; 5] = by_ring.try_into().unwrap_or_default();
        Ok(Self {
            radius,
            map,
            sectors,
            strengths: [crowd, same, oncoming],
            fixed: [(opening, fixed(parameters.opening_weight)), (obstacle, fixed(parameters.obstacle_weight))],
            weights,
            reading: parameters.reading,
            trace_decay: parameters.trace_decay,
            exchange_ticks: parameters.exchange_ticks,
            squeeze_after,
            equal_speeds: parameters.equal_speeds,
        })
    }

    /// Reports fields of bodies of several space units whose sums or scores would not fit in 32 bits. `of_bodies`:
    /// returns the largest sum at a space unit for strengths by ring. Walls and exits are single space units.
    pub(super) fn report_sums_of_bodies(&self, of_bodies: impl Fn(&[f64]) -> f64, problems: &mut Problems) {
        let Weights { heading, crowd, same, oncoming, side, .. } = self.weights;
        let [(opening, opening_weight), (obstacle, obstacle_weight)] = &self.fixed;
        let [of_crowd, of_same, of_oncoming] = &self.strengths;
        let number = |fixed: i32| f64::from(fixed) / f64::from(ONE);
        let greatest = |name, rings: &[i32], weight: i32, is_body: bool| {
            let rings: Vec<f64> = rings.iter().copied().map(f64::from).collect();
            let sum = if is_body { of_bodies(&rings) } else { of_space_units(&rings) };
            let factor = rings.get(1).map_or(0.0, |first| first / f64::from(ONE));
            SumBound { name, factor, sum, weight: number(weight) }
        };
        let greatest = [
            greatest("crowd", of_crowd, crowd, true),
            greatest("same", of_same, same, true),
            greatest("oncoming", of_oncoming, oncoming, true),
            greatest("opening", opening, *opening_weight, false),
            greatest("obstacle", obstacle, *obstacle_weight, false),
        ];
        report_sums(&greatest, number(heading) + number(side), problems);
    }

    /// Whether exits or walls have fields.
    pub(super) fn has_static_scores(&self) -> bool {
        self.fixed.iter().any(|&(_, weight)| weight != 0)
    }

    /// Returns the extensions of the paper's model in use: the key of each, and its value. The sector map, for which
    /// the paper has its own, and the formula of the score are not included.
    pub fn extensions(&self) -> Vec<(&'static str, String)> {
        let [opening_weight, obstacle_weight] = [0, 1].map(|of| self.fixed[of].1);
        let weight = |fixed: i32| (f64::from(fixed) / f64::from(ONE)).to_string();
        [
            ("reading", self.reading != Reading::Heading, "cone".to_owned()),
            ("trace_decay", self.has_traces(), self.trace_decay.to_string()),
            ("exchange_ticks", self.exchange_ticks > 0, self.exchange_ticks.to_string()),
            ("equal_speeds", self.equal_speeds, "true".to_owned()),
            ("opening_weight", opening_weight != 0, weight(opening_weight)),
            ("obstacle_weight", obstacle_weight != 0, weight(obstacle_weight)),
        ]
        .into_iter()
        .filter(|&(_, is_used, _)| is_used)
        .map(|(key, _, value)| (key, value))
        .collect()
    }

    /// Returns the number of columns and of rows of a field.
    pub fn size(&self) -> u32 {
        2 * self.radius as u32 + 1
    }

    /// Whether directional fields follow traces.
    pub fn has_traces(&self) -> bool {
        self.trace_decay > 0
    }

    /// Returns the strengths of RR, DA and DR by ring, as fixed-point numbers; 0 on ring 0.
    pub fn strengths(&self) -> [&[i32]; 3] {
        self.strengths.each_ref().map(Vec::as_slice)
    }

    /// Returns the weights of scores.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// Returns the sector of an offset within the field, [`CENTRE`] for the centre itself.
    pub(super) fn sector(&self, x: i32, y: i32) -> u8 {
        let side = 2 * self.radius + 1;
        self.sectors[((y + self.radius) * side + x + self.radius) as usize]
    }

    /// Yields the offsets of a field except its centre: x, y, ring, sector.
    pub fn offsets(&self) -> impl Iterator<Item = (i32, i32, usize, usize)> {
        let radius = self.radius;
        let all = (-radius..=radius).flat_map(move |y| (-radius..=radius).map(move |x| (x, y)));
        all.filter(|&offset| offset != (0, 0))
            .map(|(x, y)| (x, y, x.abs().max(y.abs()) as usize, self.sector(x, y) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_match_the_paper() {
        let tables = FieldTables::new(&FieldParameters::default()).unwrap();
        // 1, 0.70711 and 0.57735 times 65536.
        assert_eq!(tables.strengths[0], [0, 65_536, 46_341, 37_837]);
        assert_eq!(tables.offsets().count(), 48);
    }

    #[test]
    fn options_beyond_the_paper_are_listed_as_extensions() {
        let of = |parameters: &FieldParameters| FieldTables::new(parameters).unwrap().extensions();
        assert_eq!(of(&FieldParameters { side_weight: 0.1, size: 9, ..FieldParameters::default() }), []);
        let all = FieldParameters {
            reading: Reading::Cone,
            trace_decay: 2,
            exchange_ticks: 3,
            equal_speeds: true,
            opening_weight: 0.5,
            obstacle_weight: 0.25,
            ..FieldParameters::default()
        };
        let values = ["cone", "2", "3", "true", "0.5", "0.25"].map(str::to_owned);
        let keys = ["reading", "trace_decay", "exchange_ticks", "equal_speeds", "opening_weight", "obstacle_weight"];
        assert_eq!(of(&all), keys.into_iter().zip(values).collect::<Vec<_>>());
    }

    #[test]
    fn out_of_range_parameters_are_refused() {
        let of = |change: fn(&mut FieldParameters)| {
            let mut parameters = FieldParameters::default();
            change(&mut parameters);
            FieldTables::new(&parameters).err().map(|error| error.to_string()).unwrap_or_default()
        };
        for (message, start) in [
            (of(|p| p.size = 8), "field_size: 8\n    give an odd number from 1 to 255"),
            (of(|p| p.size = 257), "field_size: 257\n"),
            (of(|p| p.crowd.exponent = f64::NAN), "crowd_exponent: NaN\n    give a number from -10 to 2"),
            (of(|p| p.same.factor = -1.0), "same_strength: -1\n"),
            (of(|p| p.oncoming_weight = 1001.0), "oncoming_weight: 1001\n"),
            (of(|p| p.threshold = f64::INFINITY), "threshold: inf\n"),
            (of(|p| p.trace_decay = 6), "trace_decay: 6\n    give a number from 0 (no traces) to 5"),
            (of(|p| p.exchange_ticks = 1001), "exchange_ticks: 1001\n"),
            (of(|p| p.side_weight = -0.1), "side_weight: -0.1\n"),
            (of(|p| p.oncoming = Strength { factor: 1000.0, exponent: 0.5 }), "oncoming_strength: 1000: strengths of"),
            (of(|p| p.crowd_weight = 100.0), "weights: scores of up to"),
        ] {
            assert!(message.starts_with(start), "{message}");
        }
        assert_eq!(of(|p| p.size = 77), "");
    }
}
