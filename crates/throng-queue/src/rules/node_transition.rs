//! The order in which vehicles from several in-links cross a node: MATSim's five node transitions.

use super::node_selection::NodeSelection;

/// The result of trying to move the first vehicle of an in-link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The vehicle has left the buffer, so the next one may try.
    pub moved: bool,
    /// The next link of the vehicle was full.
    pub jammed: bool,
}

/// The view of a node that the rule needs: its in-links by position, in the order of their id texts.
pub trait NodeView {
    /// Number of in-links.
    fn in_links(&self) -> usize;
    /// Whether in-link `i` has vehicles in its buffer.
    fn offers(&self, i: usize) -> bool;
    /// Capacity of in-link `i` as in the network file, not scaled.
    fn capacity(&self, i: usize) -> f64;
    /// Whether in-link `i` still takes part in the selection. Kept between steps: as in MATSim, a node that stops early
    /// leaves its in-links as they are.
    fn candidate(&self, i: usize) -> bool;
    /// Sets [`NodeView::candidate`].
    fn set_candidate(&mut self, i: usize, candidate: bool);
    /// Accumulated inverse capacity of in-link `i`, for deterministic priorities. Starts at 1 / capacity.
    fn priority(&self, i: usize) -> f64;
    /// Sets [`NodeView::priority`].
    fn set_priority(&mut self, i: usize, priority: f64);
    /// A random number in `[0, 1)`.
    fn draw(&mut self) -> f64;
    /// Whether a selection with a single candidate needs a draw; MATSim's generator advances then, too.
    fn draws_for_single_candidate(&self) -> bool;
    /// Tries to move the first vehicle in the buffer of in-link `i`, which offers one.
    fn move_first(&mut self, i: usize) -> Attempt;
}

/// Capacities below this are rounding errors of sums.
const NO_CAPACITY: f64 = 1e-10;

/// Moves vehicles over a node for one step. Returns whether the node stays active: false if no in-link with a positive
/// capacity offers a vehicle.
pub fn step(selection: NodeSelection, node: &mut impl NodeView) -> bool {
    let mut capacity = 0.0;
    let mut candidates = 0;
    for i in 0..node.in_links() {
        if node.offers(i) {
            node.set_candidate(i, true);
            capacity += node.capacity(i);
        }
        candidates += u32::from(node.candidate(i));
    }
    if capacity <= NO_CAPACITY {
        return false;
    }
    match selection {
        NodeSelection::Lottery { whole_buffer, block_node } => {
            by_lottery(node, capacity, candidates, whole_buffer, block_node);
        }
        NodeSelection::Priorities => by_priority(node, capacity),
    }
    true
}

/// Draws in-links in proportion to their capacity, as described at [`NodeSelection::Lottery`].
fn by_lottery(node: &mut impl NodeView, mut capacity: f64, mut candidates: u32, whole_buffer: bool, block_node: bool) {
    while capacity > NO_CAPACITY && candidates > 0 {
        let Some(drawn) = draw_in_link(node, capacity, candidates) else { continue };
        let (out, jammed) = if whole_buffer {
            (true, empty_buffer(node, drawn))
        } else {
            let attempt = if node.offers(drawn) { node.move_first(drawn) } else { NOTHING_MOVED };
            (!attempt.moved, attempt.jammed)
        };
        if out {
            capacity -= node.capacity(drawn);
            node.set_candidate(drawn, false);
            candidates -= 1;
        }
        if block_node && jammed {
            return;
        }
    }
}

const NOTHING_MOVED: Attempt = Attempt { moved: false, jammed: false };

/// `None` if rounding put the draw beyond the last candidate; the caller then draws again.
fn draw_in_link(node: &mut impl NodeView, capacity: f64, candidates: u32) -> Option<usize> {
    if candidates == 1 && !node.draws_for_single_candidate() {
        return (0..node.in_links()).find(|&i| node.candidate(i));
    }
    let threshold = node.draw() * capacity;
    if !threshold.is_finite() {
        // An infinite sum cannot be divided: the last candidate is next.
        return (0..node.in_links()).rev().find(|&i| node.candidate(i));
    }
    let mut passed = 0.0;
    for i in 0..node.in_links() {
        if node.candidate(i) {
            passed += node.capacity(i);
            if passed >= threshold {
                return Some(i);
            }
        }
    }
    None
}

/// Moves vehicles until the buffer is empty or its first vehicle cannot move. Returns whether a full link was found.
fn empty_buffer(node: &mut impl NodeView, i: usize) -> bool {
    let mut jammed = false;
    while node.offers(i) {
        let attempt = node.move_first(i);
        jammed |= attempt.jammed;
        if !attempt.moved {
            break;
        }
    }
    jammed
}

/// Selects the in-link with the lowest accumulated inverse capacity; the first full out-link ends the step.
fn by_priority(node: &mut impl NodeView, mut capacity: f64) {
    let mut last_sent = 0.0;
    while capacity > NO_CAPACITY {
        let Some(first) = lowest_priority(node) else { break };
        let attempt = if node.offers(first) { node.move_first(first) } else { NOTHING_MOVED };
        if attempt.moved {
            last_sent = node.priority(first);
            node.set_priority(first, last_sent + 1.0 / node.capacity(first));
        } else {
            capacity -= node.capacity(first);
            node.set_candidate(first, false);
        }
        if attempt.jammed {
            level_priorities(node, last_sent, Some(first));
            return;
        }
    }
    level_priorities(node, last_sent, None);
}

/// Priorities are compared as 32-bit floats, so that sums that differ only by rounding tie. Ties go to the lower link
/// id.
fn lowest_priority(node: &impl NodeView) -> Option<usize> {
    let mut lowest = f64::from(f32::MAX);
    let mut found = None;
    for i in 0..node.in_links() {
        if node.candidate(i) && (node.priority(i) as f32) < (lowest as f32) {
            lowest = node.priority(i);
            found = Some(i);
        }
    }
    found
}

/// Raises in-links that are out of the selection to the level of the others, and shifts all priorities towards zero.
/// The in-link at which the node stopped, `blocked`, keeps its priority.
fn level_priorities(node: &mut impl NodeView, last_sent: f64, blocked: Option<usize>) {
    for i in 0..node.in_links() {
        if blocked != Some(i) && !node.candidate(i) {
            node.set_priority(i, last_sent + 1.0 / node.capacity(i));
        }
        node.set_priority(i, node.priority(i) - last_sent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::settings::NodeTransition;

    /// A node whose in-links hold vehicles that all move, or find the next link full.
    struct Toy {
        buffers: Vec<Vec<bool>>,
        capacity: Vec<f64>,
        candidate: Vec<bool>,
        priority: Vec<f64>,
        draws: Vec<f64>,
        log: Vec<usize>,
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

    impl NodeView for Toy {
        fn in_links(&self) -> usize {
            self.buffers.len()
        }
        fn offers(&self, i: usize) -> bool {
            !self.buffers[i].is_empty()
        }
        fn capacity(&self, i: usize) -> f64 {
            self.capacity[i]
        }
        fn candidate(&self, i: usize) -> bool {
            self.candidate[i]
        }
        fn set_candidate(&mut self, i: usize, candidate: bool) {
            self.candidate[i] = candidate;
        }
        fn priority(&self, i: usize) -> f64 {
            self.priority[i]
        }
        fn set_priority(&mut self, i: usize, priority: f64) {
            self.priority[i] = priority;
        }
        fn draw(&mut self) -> f64 {
            self.draws.pop().expect("the test gives enough draws")
        }
        fn draws_for_single_candidate(&self) -> bool {
            true
        }
        fn move_first(&mut self, i: usize) -> Attempt {
            let free = *self.buffers[i].last().unwrap();
            if free {
                self.buffers[i].pop();
                self.log.push(i);
            }
            Attempt { moved: free, jammed: !free }
        }
    }

    #[test]
    fn a_drawn_in_link_empties_its_whole_buffer() {
        let mut toy = Toy::new(&[&[true, true], &[true]], &[1000.0, 3000.0], &[0.3, 0.9]);
        // 0.3 * 4000 = 1200 > 1000: the second in-link is first.
        assert!(step(NodeSelection::of(NodeTransition::EmptyBufferDontBlockNode), &mut toy));
        assert_eq!(toy.log, [1, 0, 0]);
        assert!(
            !step(NodeSelection::of(NodeTransition::EmptyBufferDontBlockNode), &mut toy),
            "nothing offers: inactive"
        );
    }

    #[test]
    fn a_vehicle_that_cannot_move_holds_those_behind_it() {
        let mut toy = Toy::new(&[&[true, false, true], &[true]], &[1.0, 1.0], &[0.1, 0.5]);
        step(NodeSelection::of(NodeTransition::EmptyBufferDontBlockNode), &mut toy);
        assert_eq!(toy.log, [0, 1]);
        assert_eq!(toy.buffers[0].len(), 2);
    }

    #[test]
    fn a_full_out_link_blocks_the_node_where_asked() {
        let mut toy = Toy::new(&[&[true, false, true], &[true]], &[1.0, 1.0], &[0.1]);
        step(NodeSelection::of(NodeTransition::EmptyBufferBlockNode), &mut toy);
        assert_eq!(toy.log, [0]);
    }

    #[test]
    fn vehicle_by_vehicle_draws_for_each() {
        let mut toy = Toy::new(&[&[true, true], &[true]], &[1.0, 1.0], &[0.1, 0.9, 0.1, 0.6, 0.9, 0.5, 0.5]);
        step(NodeSelection::of(NodeTransition::VehByVehDontBlockNode), &mut toy);
        assert_eq!(toy.log, [0, 1, 0]);
    }

    #[test]
    fn priorities_alternate_by_capacity() {
        let lane = [true; 6];
        let mut toy = Toy::new(&[&lane[..4], &lane[..2]], &[3600.0, 1800.0], &[]);
        step(NodeSelection::of(NodeTransition::DeterministicPriorities), &mut toy);
        // 1/3600 first, then both at 2/3600: the lower position wins the tie.
        assert_eq!(toy.log, [0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn in_links_without_capacity_do_not_keep_a_node_awake() {
        let mut toy = Toy::new(&[&[true]], &[0.0], &[]);
        assert!(!step(NodeSelection::of(NodeTransition::EmptyBufferDontBlockNode), &mut toy));
        assert!(toy.log.is_empty());
    }
}
