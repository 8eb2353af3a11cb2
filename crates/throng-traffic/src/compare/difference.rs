//! The exact comparison of two multisets of events.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::step::{Ignored, Step};

/// The events of one side, each as its sorted attributes in one text, sorted by that text.
fn sorted(step: Option<&Step<'_>>, ignored: &Ignored) -> Vec<(String, usize)> {
    let Some(step) = step else { return Vec::new() };
    let mut events: Vec<_> = (0..step.count as usize).map(|index| (canonical(step, index, ignored), index)).collect();
    events.sort_unstable();
    events
}

/// All attributes that count, sorted by name. The separators cannot occur in XML, so different maps differ in text.
fn canonical(step: &Step<'_>, index: usize, ignored: &Ignored) -> String {
    let mut attributes = Vec::new();
    step.events.attributes(index, &mut |name, value| {
        if !ignored.contains(name) {
            attributes.push(format!("{name}\u{1}{value}\u{2}"));
        }
    });
    attributes.sort_unstable();
    attributes.concat()
}

fn names(canonical: &str) -> impl Iterator<Item = &str> {
    canonical.split_terminator('\u{2}').filter_map(|attribute| attribute.split_once('\u{1}').map(|(name, _)| name))
}

/// The events that are only in A and only in B, by index within their step, in the order of their side.
///
/// `unmatched` counts for each attribute name how many of these events carry it, on either side.
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
        if let Some((text, index)) = heads[side] {
            only[side].push(*index);
            for name in names(text) {
                count(unmatched, name, side);
            }
        }
        at[side] += 1;
    }
    only.iter_mut().for_each(|indices| indices.sort_unstable());
    only
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
