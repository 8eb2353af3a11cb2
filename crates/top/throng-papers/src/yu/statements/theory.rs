//! Statements that the paper's own numbers, or a computation on the host, decide.

use std::fmt::Write as _;

use throng_core::three_figures;
use throng_device::neighbours::Boundary;
use throng_pedestrians::rules::direction::DIRECTIONS;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{Flow, SectorMap};

use crate::experiment::{Judgement, Statements, Verdict};
use crate::yu::caching::{Caching, published_bytes};
use crate::yu::fan_out::{Hits, RECURRENT_BYTES, TABLE_I, TABLE_II, hits};
use crate::yu::numbers::Numbers;
use crate::yu::sorting::{EXCHANGES, sort};

/// Space units of the world of table II.
const UNITS: u64 = 2000 * 2000;

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Section 2: fan-outs, memory and the multi-step sum.
pub(super) fn algorithm(all: &mut Statements) {
    all.push("section 2.1", "At most 8 pedestrians compete for a space unit.", [competitors()]);
    all.push("figures 1 and 3", "The strength fan-out of fields of 7 x 7 is 6.", [fan_out_of_figure_3()]);
    all.push(
        "section 2.1",
        "The number of space units whose fields change a stored number is the same for all stored numbers.",
        [equal_numbers()],
    );
    let [of_table_i, of_table_ii] = fan_outs();
    all.push("table I", "Fields of 1 x 1 to 11 x 11 have the fan-outs of the table.", [of_table_i]);
    all.push("table II", "Fields of 7 x 7 to 77 x 77 have the fan-outs of the table.", [of_table_ii]);
    all.push(
        "table II",
        "The memory of the one-step cache is that of the table, 2.9 to 385.3 GB.",
        [memory_of_table_ii()],
    );
    all.push("section 2.2, figure 4", "The fan-out grows exponentially with the field size.", [growth()]);
    all.push(
        "section 2.3",
        "The multi-step sum bounds the memory of the cache, however large the fields are.",
        [bounded_memory()],
    );
    all.push(
        "section 2.3, equation 1",
        "A sum of n = K m terms a[i] is the sum over j < K and i < m of a[j K + i].",
        [equation_1()],
    );
}

/// Appendices C and D.
pub(super) fn techniques(all: &mut Statements) {
    all.push("appendix D", "An array of eight elements is sorted by the 21 exchanges of the list.", [sorts()]);
    all.push(
        "appendix D",
        "21 comparisons are about 6 times the theoretical number, log2(8!) = 15.3.",
        [comparisons()],
    );
    all.push(
        "appendix C",
        "In records of a prime size p, n work-items access different banks if n <= p (p and the number of banks have no \
         common divisor).",
        [records_of_prime_size()],
    );
}

/// Counts the space units from which a pedestrian can enter another one in a step.
fn competitors() -> Judgement {
    let grid = Grid { width: 5, height: 5, boundary: Boundary::Periodic };
    let mut from: Vec<u32> = (0..DIRECTIONS).map(|direction| grid.neighbour(2, 2, direction)).collect();
    from.sort_unstable();
    from.dedup();
    let found = format!("a step of one space unit leads to a space unit from {} others", from.len());
    Verdict::of(from.len() == 8).with_evidence(found)
}

fn fan_out_of_figure_3() -> Judgement {
    let (of_figure, nearest) = (SectorMap::Seed7.fan_out(7, 7), SectorMap::Exact45.fan_out(7, 7));
    let found = format!("{of_figure} with the sectors of figure 3; {nearest} with the nearest directions");
    Verdict::of(of_figure == TABLE_II[0].1).with_evidence(found)
}

/// The eight numbers of a space unit share all centres but their own, so with equal numbers of centres the fan-out
/// would be an eighth of them.
fn equal_numbers() -> Judgement {
    let unequal = TABLE_II.into_iter().filter(|(side, fan_out, _)| fan_out * DIRECTIONS != side * side - 1);
    let unequal: Vec<String> = unequal
        .map(|(side, fan_out, _)| {
            format!(
                "{side} x {side}: ({side} x {side} - 1) / {DIRECTIONS} = {}, and the table has {fan_out}",
                (side * side - 1) / DIRECTIONS
            )
        })
        .collect();
    let found = if unequal.is_empty() { "in all of table II".to_owned() } else { unequal.join("; ") };
    Verdict::of(unequal.is_empty()).with_evidence(found)
}

/// Compares the fan-outs of tables I and II with those of Throng's sector maps.
fn fan_outs() -> [Judgement; 2] {
    let hits = SectorMap::ALL.map(|map| (map.name(), hits(|columns, rows| map.fan_out(columns, rows))));
    let of_table = |of: usize, count: fn(&Hits) -> usize| {
        let text: Vec<String> =
            hits.iter().map(|(name, hits)| format!("{} of {of} with {name}", count(hits))).collect();
        let is_known = hits.iter().any(|(_, hits)| count(hits) == of);
        let verdict = if is_known { Verdict::Confirmed } else { Verdict::Undecided };
        verdict.with_evidence(format!("{}; the paper prints its sector map for 7 x 7 only", text.join(", ")))
    };
    [of_table(TABLE_I.len() * TABLE_I[0].len(), |hits| hits.table_1), of_table(TABLE_II.len(), |hits| hits.table_2)]
}

/// Decided by the program itself, whose states are those of the definition.
pub(super) fn interleaving() -> Judgement {
    Verdict::NotConfirmed.with_evidence(
        "a gather over space units, as in the paper's own algorithm 3, has none: in k-4 with partial sums each space unit \
         reads the moves around it, so no two work-items write to one number",
    )
}

fn memory_of_table_ii() -> Judgement {
    let holds = TABLE_II.into_iter().zip(RECURRENT_BYTES).all(|((_, fan_out, total), recurrent)| {
        let found = (gib(published_bytes(fan_out, UNITS)) * 10.0).round() / 10.0;
        u64::from(fan_out) * 8 * 4 == recurrent && found == total
    });
    let found = "equation 2 with equal fan-outs gives all twelve figures, in GiB for a world of 2000 x 2000";
    Verdict::of(holds).with_evidence(found)
}

/// With exponential growth, equal steps of the size would multiply the fan-out by equal factors.
fn growth() -> Judgement {
    let ratios = TABLE_II.map(|(side, fan_out, _)| {
        let ratio = f64::from(side) / f64::from(TABLE_II[0].0);
        f64::from(fan_out) / (ratio * ratio)
    });
    let factors: Vec<f64> = TABLE_II.windows(2).map(|pair| f64::from(pair[1].1) / f64::from(pair[0].1)).collect();
    let falls = factors.is_sorted_by(|a, b| a > b);
    let found = format!(
        "it is {} times the square of the ratio, so it grows with it; equal steps of the ratio multiply it by {}",
        ratios.map(three_figures).join(", "),
        factors.into_iter().map(three_figures).collect::<Vec<_>>().join(", ")
    );
    Verdict::of(!falls).with_evidence(found)
}

fn bounded_memory() -> Judgement {
    let numbers = Numbers::of(Flow::Bi.headings());
    let words = TABLE_II.map(|(_, fan_out, _)| Caching::MultiStep(4).words(fan_out, numbers));
    let one_step = TABLE_II.map(|(_, fan_out, _)| Caching::OneStep.words(fan_out, numbers));
    let found = format!(
        "{} bytes per space unit with K = 4 and two directions, for all fields; {} to {} with the one-step cache",
        4 * words[0],
        4 * one_step[0],
        4 * one_step[one_step.len() - 1]
    );
    Verdict::of(words.iter().all(|&of| of == words[0]) && one_step[0] < one_step[5]).with_evidence(found)
}

/// Whether the printed index reaches each of the 8 x 7 terms of a field of 7 x 7 once.
fn equation_1() -> Judgement {
    const K: usize = 4;
    const M: usize = 14;
    let reached = |index: fn(usize, usize) -> usize| {
        let mut terms: Vec<usize> = (0..K).flat_map(|j| (0..M).map(move |i| index(j, i))).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.len()
    };
    let (printed, other) = (reached(|j, i| j * K + i), reached(|j, i| j * M + i));
    let found = format!(
        "with K = {K} and m = {M}, a[j K + i] has {printed} of {} terms, some of them twice; a[j m + i] has {other}, \
         and the sums of the program are equal",
        K * M
    );
    Verdict::of(printed == K * M).with_evidence(found)
}

/// Compares with the memory of one device, which decides nothing about most GPUs, now or at the time of the paper.
pub(super) fn capacity(memory_bytes: Option<u64>) -> Option<Judgement> {
    let (needed, available) = (published_bytes(TABLE_II[1].1, UNITS), memory_bytes?);
    let [of_cache, of_device] = [needed, available].map(|bytes| three_figures(gib(bytes)));
    let fitting = TABLE_II.into_iter().rfind(|row| published_bytes(row.1, UNITS) <= available);
    let fitting = fitting.map_or_else(|| "none".to_owned(), |(side, ..)| format!("those of {side} x {side}"));
    let found = format!(
        "{of_cache} GiB, and this device has {of_device} GiB; by table II it can hold {fitting}; one device does not \
         show what most GPUs have"
    );
    Some(Verdict::Undecided.with_evidence(found))
}

/// A network that sorts all sequences of zeros and ones sorts all inputs.
fn sorts() -> Judgement {
    let sorted = (0..256).filter(|bits| {
        let mut keys = std::array::from_fn(|index| (bits >> index) & 1);
        sort(&mut keys);
        keys.is_sorted_by(|a, b| a >= b)
    });
    let (count, exchanges) = (sorted.count(), EXCHANGES.len());
    let found = format!("{exchanges} exchanges sort {count} of 256 sequences of zeros and ones");
    Verdict::of(count == 256 && exchanges == 21).with_evidence(found)
}

fn comparisons() -> Judgement {
    let least: f64 = (2..=8).map(f64::from).map(libm::log2).sum();
    let count = EXCHANGES.len() as f64;
    let found = format!(
        "{count} / {} = {}, and the difference is {}",
        three_figures(least),
        three_figures(count / least),
        three_figures(count - least)
    );
    Verdict::of((5.0..7.0).contains(&(count / least))).with_evidence(found)
}

/// Looks for the first prime size without a common divisor with 32 banks at which `n <= p` work-items conflict.
fn records_of_prime_size() -> Judgement {
    const BANKS: usize = 32;
    let conflict = |size: usize, items: usize| {
        let mut banks: Vec<usize> = (0..items).map(|item| item * size % BANKS).collect();
        banks.sort_unstable();
        banks.dedup();
        banks.len() < items
    };
    let is_prime = |size: usize| (2..size).all(|divisor| !size.is_multiple_of(divisor));
    let sizes = (3..100).filter(|&size| is_prime(size));
    let first = sizes.flat_map(|size| (1..=size).map(move |items| (size, items))).find(|&(p, n)| conflict(p, n));
    let Some((size, items)) = first else {
        return Verdict::Confirmed.with_evidence(format!("for all primes below 100 and {BANKS} banks"));
    };
    // The condition is neither sufficient nor necessary.
    let needless = (3..items).find(|&size| is_prime(size) && size < BANKS && !conflict(size, BANKS));
    let mut found = format!("{items} work-items, records of {size} words and {BANKS} banks conflict");
    if let Some(size) = needless {
        let _ = write!(
            found,
            ", and {BANKS} work-items with records of {size} words do not. The condition of the paper suffices for \
             sizes up to the number of banks; the necessary one is that there are no more work-items than banks, which \
             warps fulfil, also those of 8 and 16 work-items that the paper names"
        );
    }
    Verdict::NotConfirmed.with_evidence(found)
}
