//! The order in which vehicles from several in-links cross a node: MATSim's five node transitions.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::node_selection::NodeSelection;

/// The result of trying to move the first vehicle of an in-link.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The vehicle has left the buffer, so the next one may try.
    pub moved: bool,
    /// The next link of the vehicle was full.
    pub jammed: bool,
}

/// The view of a node that the rule needs: its in-links by position, sorted by id.
#[cube]
pub trait NodeView {
    /// Number of in-links.
    fn in_links(&self) -> u32;
    /// Whether in-link `i` has vehicles in its buffer.
    fn offers(&self, i: u32) -> bool;
    /// Capacity of in-link `i` as in the network file, not scaled.
    fn capacity(&self, i: u32) -> f64;
    /// 1 / capacity.
    fn inverse_capacity(&self, i: u32) -> f64;
    /// Whether in-link `i` still takes part in the selection. Kept between steps: as in MATSim, a node that stops early
    /// does not reset its in-links.
    fn candidate(&self, i: u32) -> bool;
    /// Sets [`NodeView::candidate`].
    fn set_candidate(&mut self, i: u32, candidate: bool);
    /// Accumulated inverse capacity of in-link `i`, for deterministic priorities. Starts at 1 / capacity.
    fn priority(&self, i: u32) -> f64;
    /// Sets [`NodeView::priority`].
    fn set_priority(&mut self, i: u32, priority: f64);
    /// A random number in `[0, 1)`.
    fn draw(&mut self) -> f64;
    /// Whether a selection with a single candidate consumes a draw, as MATSim's generator does.
    fn draws_for_single_candidate(&self) -> bool;
    /// Tries to move the first vehicle in the buffer of in-link `i`, which offers one.
    fn move_first(&mut self, i: u32) -> Attempt;
}

/// Capacities below this are rounding errors of sums.
const NO_CAPACITY: f64 = 1e-10;
/// Larger values are infinite.
const MAX_FINITE: f64 = f64::MAX;
/// No in-link.
const NONE: u32 = u32::MAX;

/// Moves vehicles over a node for one step. Returns whether the node stays active: false if no in-link with a positive
/// capacity offers a vehicle.
///
/// `reads_ahead`: four in-links are read before any is used. On devices the reads then overlap; on the CPU the second
/// loop would cost more than it saves.
#[cube]
pub fn step<N: NodeView>(node: &mut N, #[comptime] selection: NodeSelection, #[comptime] reads_ahead: bool) -> bool {
    let mut capacity = 0.0f64;
    if comptime!(reads_ahead) {
        let mut i = 0u32;
        while i < node.in_links() {
            let first = offer::<N>(node, i);
            let second = offer::<N>(node, i + 1u32);
            let third = offer::<N>(node, i + 2u32);
            let fourth = offer::<N>(node, i + 3u32);
            capacity += first;
            capacity += second;
            capacity += third;
            capacity += fourth;
            i += 4u32;
        }
        for i in 0..node.in_links() {
            begin_selection::<N>(node, i);
        }
    } else {
        for i in 0..node.in_links() {
            capacity += select(node.offers(i), node.capacity(i), 0.0f64);
            begin_selection::<N>(node, i);
        }
    }
    let active = capacity > NO_CAPACITY;
    if active {
        if comptime!(selection.by_priority()) {
            by_priority::<N>(node, capacity);
        } else {
            by_lottery::<N>(node, capacity, selection);
        }
    }
    active
}

/// Whether an in-link with this accumulated inverse capacity has been closed. If its capacity changes, the priority
/// must be reset, because it would stay infinite.
#[cube]
#[inline]
pub fn was_closed(priority: f64) -> bool {
    priority > MAX_FINITE
}

/// Returns the capacity of an in-link with vehicles in its buffer; 0 for others, and beyond the last in-link.
#[cube]
#[inline]
fn offer<N: NodeView>(node: &N, i: u32) -> f64 {
    let valid = u32::min(i, node.in_links() - 1u32);
    select(node.offers(valid) && i == valid, node.capacity(valid), 0.0f64)
}

/// Makes an in-link a candidate if it has vehicles in its buffer.
#[cube]
#[inline]
fn begin_selection<N: NodeView>(node: &mut N, i: u32) {
    if node.offers(i) {
        node.set_candidate(i, true);
    }
}

/// Draws in-links in proportion to their capacity, as described at [`NodeSelection::Lottery`].
#[cube]
fn by_lottery<N: NodeView>(node: &mut N, mut capacity: f64, #[comptime] selection: NodeSelection) {
    // Candidates are counted here rather than in `step`: with a count from `step`, NVIDIA's Vulkan compiler
    // (580.159.04) drops the loop below.
    let mut candidates = 0u32;
    for i in 0..node.in_links() {
        candidates += select(node.candidate(i), 1u32, 0u32);
    }
    while capacity > NO_CAPACITY && candidates > 0u32 {
        let drawn = draw_in_link::<N>(node, capacity, candidates);
        // If rounding put the draw beyond the last candidate, the next iteration draws again.
        if drawn != NONE {
            let mut out = true;
            let mut jammed = false;
            if comptime!(selection.empties_whole_buffer()) {
                jammed = empty_buffer::<N>(node, drawn);
            } else if node.offers(drawn) {
                let attempt = node.move_first(drawn);
                out = !attempt.moved;
                jammed = attempt.jammed;
            }
            if out {
                node.set_candidate(drawn, false);
                candidates -= 1u32;
                // Without candidates the rest is not needed, and a device would wait for the capacity.
                if candidates > 0u32 {
                    capacity = capacity_without(capacity, node.capacity(drawn));
                }
            }
            if comptime!(selection.is_blocked_by_full_link()) {
                if jammed {
                    candidates = 0u32;
                }
            }
        }
    }
}

/// Returns the in-link at which the running sum of capacities reaches the draw, or `NONE` if rounding put the draw
/// beyond the last one.
#[cube]
fn draw_in_link<N: NodeView>(node: &mut N, capacity: f64, candidates: u32) -> u32 {
    let mut found = NONE.runtime();
    if candidates == 1u32 && !node.draws_for_single_candidate() {
        let mut i = 0u32;
        while found == NONE && i < node.in_links() {
            if node.candidate(i) {
                found = i;
            }
            i += 1u32;
        }
    } else {
        let threshold = node.draw() * capacity;
        // An infinite sum has no meaningful threshold: the last candidate is next, whatever the draw.
        let can_be_divided = capacity <= MAX_FINITE;
        let mut passed = 0.0f64;
        let mut looking = true;
        let mut i = 0u32;
        while looking && i < node.in_links() {
            if node.candidate(i) {
                passed += node.capacity(i);
                let reached = passed >= threshold;
                if reached || !can_be_divided {
                    found = i;
                }
                looking = !(reached && can_be_divided);
            }
            i += 1u32;
        }
    }
    found
}

/// Returns the sum of capacities without that of an in-link. If that capacity is infinite, the result is 0, which ends
/// the step of the node; the difference would be NaN, which devices compare differently.
#[cube]
fn capacity_without(capacity: f64, of_link: f64) -> f64 {
    let mut left = 0.0f64;
    if of_link <= MAX_FINITE {
        left = capacity - of_link;
    }
    left
}

/// Moves vehicles until the buffer is empty or its first vehicle cannot move. Returns whether a full link was found.
#[cube]
fn empty_buffer<N: NodeView>(node: &mut N, i: u32) -> bool {
    let mut jammed = false;
    let mut moving = node.offers(i);
    while moving {
        let attempt = node.move_first(i);
        jammed = jammed || attempt.jammed;
        moving = attempt.moved && node.offers(i);
    }
    jammed
}

/// Selects the in-link with the lowest accumulated inverse capacity; the first full out-link ends the step.
#[cube]
fn by_priority<N: NodeView>(node: &mut N, mut capacity: f64) {
    let mut last_sent = 0.0f64;
    let mut blocked = NONE.runtime();
    let mut selecting = true;
    while selecting {
        let first = lowest_priority::<N>(node);
        if first == NONE {
            selecting = false;
        } else {
            let mut moved = false;
            let mut jammed = false;
            if node.offers(first) {
                let attempt = node.move_first(first);
                moved = attempt.moved;
                jammed = attempt.jammed;
            }
            if moved {
                last_sent = node.priority(first);
                node.set_priority(first, last_sent + node.inverse_capacity(first));
            } else {
                capacity = capacity_without(capacity, node.capacity(first));
                node.set_candidate(first, false);
            }
            if jammed {
                blocked = first;
            }
            selecting = !jammed && capacity > NO_CAPACITY;
        }
    }
    // In-links that have left the selection rise to the level of the others, and all priorities shift towards zero. The
    // in-link that stopped the node keeps its priority.
    for i in 0..node.in_links() {
        if i != blocked && !node.candidate(i) {
            node.set_priority(i, last_sent + node.inverse_capacity(i));
        }
        node.set_priority(i, node.priority(i) - last_sent);
    }
}

/// Returns the candidate with the lowest priority. Priorities are compared as 32-bit floats, so that sums that differ
/// only by rounding are equal. Ties go to the lower position, which is the lower link id.
#[cube]
fn lowest_priority<N: NodeView>(node: &N) -> u32 {
    let mut lowest = f32::MAX.runtime();
    let mut found = NONE.runtime();
    for i in 0..node.in_links() {
        if node.candidate(i) {
            let priority = node.priority(i) as f32;
            if priority < lowest {
                lowest = priority;
                found = i;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::settings::NodeTransition;

    /// A node whose in-links hold vehicles that move (`true`) or find the next link full (`false`).
    #[derive(Debug, Clone, PartialEq)]
    struct Toy {
        buffers: Vec<Vec<bool>>,
        capacity: Vec<f64>,
        candidate: Vec<bool>,
        priority: Vec<f64>,
        draws: Vec<f64>,
        log: Vec<u32>,
    }

    impl Toy {
        fn new(buffers: &[&[bool]], capacity: &[f64], draws: &[f64]) -> Self {
            Self {
                buffers: buffers.iter().map(|b| b.iter().rev().copied().collect()).collect(),
                capacity: capacity.to_vec(),
                candidate: vec![false; buffers.len()],
                priority: capacity.iter().map(|c| 1.0 / c).collect(),
                draws: draws.iter().rev().copied().collect(),
                log: Vec::new(),
            }
        }
    }

    #[cfg(feature = "gpu")]
    impl CubeType for Toy {
        type ExpandType = <crate::gpu::NodeOnDevice<'static> as CubeType>::ExpandType;
    }

    impl NodeView for Toy {
        fn in_links(&self) -> u32 {
            self.buffers.len() as u32
        }
        fn offers(&self, i: u32) -> bool {
            !self.buffers[i as usize].is_empty()
        }
        fn capacity(&self, i: u32) -> f64 {
            self.capacity[i as usize]
        }
        fn inverse_capacity(&self, i: u32) -> f64 {
            1.0 / self.capacity[i as usize]
        }
        fn candidate(&self, i: u32) -> bool {
            self.candidate[i as usize]
        }
        fn set_candidate(&mut self, i: u32, candidate: bool) {
            self.candidate[i as usize] = candidate;
        }
        fn priority(&self, i: u32) -> f64 {
            self.priority[i as usize]
        }
        fn set_priority(&mut self, i: u32, priority: f64) {
            self.priority[i as usize] = priority;
        }
        fn draw(&mut self) -> f64 {
            self.draws.pop().expect("the test gives enough draws")
        }
        fn draws_for_single_candidate(&self) -> bool {
            true
        }
        fn move_first(&mut self, i: u32) -> Attempt {
            let free = *self.buffers[i as usize].last().unwrap();
            if free {
                self.buffers[i as usize].pop();
                self.log.push(i);
            }
            Attempt { moved: free, jammed: !free }
        }
    }

    /// Moves vehicles with and without reading ahead, and asserts equal results.
    fn cross(toy: &mut Toy, transition: NodeTransition) -> bool {
        let selection = NodeSelection::of(transition);
        let mut ahead = toy.clone();
        let active = step(toy, selection, false);
        assert_eq!((step(&mut ahead, selection, true), &ahead), (active, &*toy));
        active
    }

    #[test]
    fn any_number_of_in_links_takes_part() {
        for number in [1, 3, 4, 5, 8, 9] {
            let vehicles = [true; 2];
            let buffers: Vec<&[bool]> = (0..number).map(|i| &vehicles[..(i + 1) % 3]).collect();
            let (capacity, draws) = (vec![1000.0; number], vec![0.7; number]);
            let mut toy = Toy::new(&buffers, &capacity, &draws);
            let waiting: usize = buffers.iter().map(|buffer| buffer.len()).sum();
            assert!(cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode));
            assert_eq!((toy.log.len(), toy.candidate.contains(&true)), (waiting, false), "{number} in-links");
        }
    }

    #[test]
    fn a_drawn_in_link_empties_its_whole_buffer() {
        let mut toy = Toy::new(&[&[true, true], &[true]], &[1000.0, 3000.0], &[0.3, 0.9]);
        // 0.3 * 4000 = 1200 > 1000: the second in-link is first.
        assert!(cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode));
        assert_eq!(toy.log, [1, 0, 0]);
        assert!(!cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode), "no in-link offers a vehicle: inactive");
    }

    #[test]
    fn a_vehicle_that_cannot_move_blocks_its_followers() {
        let mut toy = Toy::new(&[&[true, false, true], &[true]], &[1.0, 1.0], &[0.1, 0.5]);
        cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode);
        assert_eq!(toy.log, [0, 1]);
        assert_eq!(toy.buffers[0].len(), 2);
    }

    #[test]
    fn a_full_out_link_blocks_the_node_if_configured() {
        let mut toy = Toy::new(&[&[true, false, true], &[true]], &[1.0, 1.0], &[0.1]);
        cross(&mut toy, NodeTransition::EmptyBufferBlockNode);
        assert_eq!(toy.log, [0]);
    }

    #[test]
    fn an_infinite_capacity_comes_last_and_ends_the_step() {
        let mut toy = Toy::new(&[&[true], &[true], &[false]], &[f64::INFINITY, 1.0, 1.0], &[0.0, 0.5, 0.5]);
        cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode);
        // The last candidate is selected in each draw.
        assert_eq!(toy.log, [1, 0]);
        let mut toy = Toy::new(&[&[true], &[true]], &[1.0, f64::INFINITY], &[0.0]);
        cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode);
        assert_eq!(toy.log, [1], "nothing is left of the sum");
        let mut toy = Toy::new(&[&[true, true], &[true]], &[f64::INFINITY, 1.0], &[]);
        cross(&mut toy, NodeTransition::DeterministicPriorities);
        assert_eq!(toy.log, [0, 0], "nothing is left of the sum when the first in-link is empty");
    }

    #[test]
    fn vehicle_by_vehicle_draws_once_per_vehicle() {
        let mut toy = Toy::new(&[&[true, true], &[true]], &[1.0, 1.0], &[0.1, 0.9, 0.1, 0.6, 0.9, 0.5, 0.5]);
        cross(&mut toy, NodeTransition::VehByVehDontBlockNode);
        assert_eq!(toy.log, [0, 1, 0]);
    }

    #[test]
    fn priorities_alternate_by_capacity() {
        let lane = [true; 6];
        let mut toy = Toy::new(&[&lane[..4], &lane[..2]], &[3600.0, 1800.0], &[]);
        cross(&mut toy, NodeTransition::DeterministicPriorities);
        // 1/3600 is first, then both are at 2/3600: the lower position wins the tie.
        assert_eq!(toy.log, [0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn in_links_without_capacity_do_not_keep_a_node_awake() {
        let mut toy = Toy::new(&[&[true]], &[0.0], &[]);
        assert!(!cross(&mut toy, NodeTransition::EmptyBufferDontBlockNode));
        assert!(toy.log.is_empty());
    }
}
