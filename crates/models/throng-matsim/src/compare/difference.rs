//! Exact comparison of two multisets of events.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::step::{Ignored, Step};

/// The compared attributes of an event, sorted.
type Attributes = Vec<(String, String)>;

/// Returns the events of one side with their index within the step, sorted by attributes.
fn sorted(step: Option<&Step<'_>>, ignored: &Ignored) -> Vec<(Attributes, usize)> {
    let Some(step) = step else { return Vec::new() };
    let mut events: Vec<_> = (0..step.count as usize).map(|index| (attributes(step, index, ignored), index)).collect();
    events.sort_unstable();
    events
}

fn attributes(step: &Step<'_>, index: usize, ignored: &Ignored) -> Attributes {
    let mut attributes = Vec::new();
    step.events.attributes(index, &mut |name, value| {
        if !ignored.contains(name) {
            attributes.push((name.to_owned(), value.to_owned()));
        }
    });
    attributes.sort_unstable();
    attributes
}

/// Returns the events that are only in A and only in B, by index within their step, in the order of their side.
///
/// `unmatched` counts, for each attribute name, these events with this attribute on each side.
pub(super) fn difference(
    a: Option<&Step<'_>>,
    b: Option<&Step<'_>>,
    ignored: &Ignored,
    unmatched: &mut BTreeMap<String, [u64; 2]>,
) -> [Vec<usize>; 2] {
    let events = [sorted(a, ignored), sorted(b, ignored)];
    let mut only = [Vec::new(), Vec::new()];
    let mut at = [0, 0];
    loop {
        let heads = [events[0].get(at[0]), events[1].get(at[1])];
        let order = match heads {
            [Some((a, _)), Some((b, _))] => a.cmp(b),
            [Some(_), None] => Ordering::Less,
            [None, Some(_)] => Ordering::Greater,
            [None, None] => break,
        };
        let side = match order {
            Ordering::Equal => {
                at = [at[0] + 1, at[1] + 1];
                continue;
            }
            Ordering::Less => 0,
            Ordering::Greater => 1,
        };
        if let Some((attributes, index)) = heads[side] {
            only[side].push(*index);
            for (name, _) in attributes {
                count(unmatched, name, side);
            }
        }
        at[side] += 1;
    }
    only.map(|mut indices| {
        indices.sort_unstable();
        indices
    })
}

fn count(unmatched: &mut BTreeMap<String, [u64; 2]>, name: &str, side: usize) {
    if let Some(counts) = unmatched.get_mut(name) {
        counts[side] += 1;
    } else {
        let mut counts = [0, 0];
        counts[side] = 1;
        unmatched.insert(name.to_owned(), counts);
    }
}
