//! Formations: agents that keep slots around reference points, which move along a flow field.

mod shape;
mod subgroup;

use throng_core::InputError;
use throng_core::checks::positive;

use super::course::Course;
use super::crowd::Crowd;
use super::flow_field::FlowField;
use super::ground::Ground;
use super::steering::{Steering, Walker};

pub use shape::FormationShape;
use subgroup::Subgroup;

/// Agents within this fraction of the side of a cell are on their slot.
const ON_SLOT: f32 = 0.05;

/// A formation of the agents of a crowd, in subgroups with a shape and a reference point each. [`Formation::lead`]
/// moves the reference points, and [`Steering::Keep`] the agents.
///
/// The reference point of a subgroup starts at the mean position of its members and moves along the flow field, at the
/// speed of the slowest member times `spacing / (spacing + 2 * lag)`, where the `lag` is the root-mean-square distance
/// of the members from their slots, but at least at a quarter of that speed. When it moves by a vector `d`, the
/// heading `h`, of length 1, is replaced by the direction of `l * h + d`, where `l` is the largest distance of a slot
/// from the reference point, at least one spacing; if `d` leads backwards, its length at a right angle to `h` takes
/// the place of `d`.
///
/// An agent walks straight to its slot if it can do so on walkable cells; otherwise it follows the flow field, but
/// waits while it is farther ahead than the first rank. A shape thus dissolves in front of a gap and re-forms behind
/// it. Members keep their slots until one joins or leaves; then slots for all members are reassigned: to ranks in
/// the order in which members are ahead, and within a rank from left to right.
///
/// Subgroups walk one behind the other, in the order of the travel times from their reference points: a reference
/// point waits while its travel time exceeds that of the one in front by less than the way from the last rank there to
/// its own first rank takes if these are two spacings apart. When a reference point has reached a goal, its subgroup
/// has dissolved; agents that enter after all its members have arrived form it again.
///
/// ```
/// use throng_fields_core::routing::{Course, Crowd, FlowField, Formation, FormationShape, Steering, maps};
///
/// let map = maps::empty(64)?;
/// let flow = FlowField::new(map.ground.distances());
/// let starts = map.scatter(9, 1);
/// let mut crowd = Crowd::new(&map.ground, &starts, &[1.0; 9])?;
/// let mut formation = Formation::new(FormationShape::Box, 2.0, 9, 1)?;
/// for _ in 0..60 {
///     formation.lead(&crowd, &Course::new(&map.ground, Steering::Follow(&flow)), |_| Some(1.0), 0.5)?;
///     crowd.step(&Steering::Keep(&flow, &formation), 0.5)?;
/// }
/// // Three ranks of three, with a deviation of less than a tenth of the spacing.
/// assert!(formation.deviation(&crowd).is_some_and(|deviation| deviation < 0.2));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Formation {
    shape: FormationShape,
    spacing: f32,
    subgroups: Vec<Subgroup>,
    /// The slot of each agent of the crowd; `None` for agents out of formation.
    slots: Vec<Option<Slot>>,
}

/// The place of an agent in its formation, for a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Slot {
    /// World units.
    at: [f32; 2],
    /// The travel time of the first rank: an agent without a straight way to its slot waits where travel times are
    /// shorter.
    first_rank: f64,
}

impl Formation {
    /// Memory per agent, in bytes.
    pub const AGENT_BYTES: usize = size_of::<Option<Slot>>() + size_of::<(u32, [[f32; 2]; 2])>();

    /// Memory per subgroup, in bytes, with its allocations.
    pub const SUBGROUP_BYTES: usize = size_of::<Subgroup>() + 96;

    /// Creates a formation with this spacing, in world units, for a crowd of `agents`, which are divided by index into
    /// `subgroups` of equal size, up to one agent.
    ///
    /// # Errors
    /// When the spacing is not above 0 or not finite, or there are no subgroups, or more subgroups than agents.
    pub fn new(shape: FormationShape, spacing: f32, agents: usize, subgroups: usize) -> Result<Self, InputError> {
        positive("formation, spacing", spacing)?;
        if !(1..=agents.max(1)).contains(&subgroups) {
            let remedy = format!("expected a number from 1 to {}, that of agents", agents.max(1));
            return Err(InputError::one("formation, subgroups", subgroups, remedy));
        }
        let first = |subgroup: usize| (subgroup as u128 * agents as u128).div_ceil(subgroups as u128) as usize;
        let subgroups = (0..subgroups).map(|subgroup| Subgroup::new(first(subgroup)..first(subgroup + 1)));
        Ok(Self { shape, spacing, subgroups: subgroups.collect(), slots: vec![None; agents] })
    }

    /// The distance between neighbours, world units.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Removes all slots, because no agent is in formation; agents that enter later form again.
    pub fn disband(&mut self) {
        self.slots.fill(None);
        self.form_again();
    }

    /// Makes all subgroups form again at the positions of their members, with the next call of [`Formation::lead`],
    /// because their goals have changed.
    pub fn form_again(&mut self) {
        self.subgroups.iter_mut().for_each(Subgroup::form_again);
    }

    /// Starts a step: moves the reference points along the flow field of a course, and places the slots at which the
    /// members should be when the time is over. `pace` has the factor of the speed of each agent in formation; `None`
    /// for others, which have no slot, like those that are not on the map or have arrived.
    ///
    /// # Errors
    /// When the course does not follow a flow field, its grid differs from that of the crowd, the crowd has more agents
    /// than the formation, or the time is not above 0.
    pub fn lead(
        &mut self,
        crowd: &Crowd<'_>,
        course: &Course<'_>,
        pace: impl Fn(usize) -> Option<f32>,
        time: f32,
    ) -> Result<(), InputError> {
        positive("time step", time)?;
        course.check(crowd.ground())?;
        let Steering::Follow(flow) = course.steering else {
            return Err(InputError::one(
                "formation, course",
                "no flow field",
                "expected one that follows a flow field",
            ));
        };
        if crowd.agents().len() > self.slots.len() {
            let remedy = format!("the formation is for {}", self.slots.len());
            return Err(InputError::one("formation", format!("{} agents", crowd.agents().len()), remedy));
        }
        self.slots.fill(None);
        let pace = |agent: usize| {
            let of = &crowd.agents()[agent];
            pace(agent).filter(|_| of.is_present() && !of.has_arrived()).map(|pace| pace * of.speed)
        };
        let mut order = Vec::new();
        for (number, subgroup) in self.subgroups.iter_mut().enumerate() {
            subgroup.gather(self.shape, crowd, &pace);
            order.extend(subgroup.form(crowd, course, flow).map(|time| (time, number)));
        }
        // Stable: ties go to the first.
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut front = None;
        for (_, number) in order {
            let subgroup = &mut self.subgroups[number];
            subgroup.advance(self.spacing, crowd, (course.ground, flow), front, time);
            front = subgroup.rear(flow);
            for (agent, slot) in subgroup.slots(self.spacing, flow) {
                self.slots[agent] = Some(slot);
            }
        }
        Ok(())
    }

    /// The slots of the last step: agent and position of each, world units.
    pub fn slots(&self) -> impl Iterator<Item = (usize, [f32; 2])> {
        self.slots.iter().enumerate().filter_map(|(agent, slot)| Some((agent, slot.as_ref()?.at)))
    }

    /// The index of the subgroup of an agent.
    pub fn subgroup(&self, agent: usize) -> Option<usize> {
        self.subgroups.iter().position(|subgroup| subgroup.has(agent))
    }

    /// The root-mean-square distance of the agents from their slots of the last step, world units; `None` if no agent
    /// has one.
    pub fn deviation(&self, crowd: &Crowd<'_>) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0f64);
        for (agent, [x, y]) in self.slots() {
            let at = crowd.agents().get(agent)?.position;
            let [dx, dy] = [at[0] - x, at[1] - y].map(f64::from);
            sum += dx * dx + dy * dy;
            count += 1.0;
        }
        (count > 0.0).then(|| (sum / count).sqrt())
    }

    /// The point to which an agent walks straight; `Err` with whether it waits if it has no free way to a slot.
    pub(super) fn aim(&self, flow: &FlowField, ground: &Ground, walker: &Walker<'_>) -> Result<Option<[f32; 2]>, bool> {
        let Some(slot) = self.slots.get(walker.number as usize).copied().flatten() else { return Err(false) };
        if !ground.is_free_to_walk(walker.position, slot.at) {
            return Err(flow.time(walker.cell).is_some_and(|time| time < slot.first_rank));
        }
        let [x, y] = [slot.at[0] - walker.position[0], slot.at[1] - walker.position[1]];
        let (distance, cell) = (libm::hypotf(x, y), ground.grid().cell());
        if distance <= ON_SLOT * cell {
            return Ok(None);
        }
        // Half a cell at a time, so that no wall is skipped.
        let part = (0.5 * cell / distance).min(1.0);
        Ok(Some([walker.position[0] + part * x, walker.position[1] + part * y]))
    }
}
