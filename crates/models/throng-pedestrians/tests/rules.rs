//! The rules of the social field model are shared by host and kernels: both compute the same, bit for bit, on every
//! device.

use throng_device::neighbours::Boundary;
use throng_pedestrians::rules::body::{Body, Shape, gap, middle, ring, to_centre};
use throng_pedestrians::rules::body_size::{Limits, blocked_again, grown, growth_direction};
use throng_pedestrians::rules::decision::{Weights, cosine, key, projection};
use throng_pedestrians::rules::diagonal::{blocked_diagonals, is_shut, walls_beside};
use throng_pedestrians::rules::direction::{NONE, angle, step_x, step_y, turned, turns};
use throng_pedestrians::rules::directional::{Reading, adjacent_direction, attracted, decayed, repels};
use throng_pedestrians::rules::draws::Seed;
use throng_pedestrians::rules::entry::first_place;
use throng_pedestrians::rules::exit_choice::{NEVER, allows, bin, chooses, chosen, expected_time, is_better, nearest};
use throng_pedestrians::rules::fixed::{ONE, scaled};
use throng_pedestrians::rules::grid::{Grid, shown};
use throng_pedestrians::rules::ring_side::{SIDES, ends};
use throng_pedestrians::rules::vote::{asks_exchange, beats, exchange, pause, priority};
use throng_pedestrians::{MAX_PERIOD, MAX_SIDE};
use throng_testing_devices::same_on_devices;

/// Maximum absolute value of a score.
const MAX_SCORE: i32 = 1 << 27;

/// Pseudorandom words.
fn words() -> impl Iterator<Item = u32> + Clone {
    (0..3000u64).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 29) as u32)
}

/// Pseudorandom numbers between limits, preceded by the limits and -1, 0 and 1 where they are in range.
fn numbers(from: i32, to: i32) -> impl Iterator<Item = i32> + Clone {
    let range = (i64::from(to) - i64::from(from) + 1) as u64;
    let random = words().map(move |word| (i64::from(from) + (u64::from(word) % range) as i64) as i32);
    [from, to, 0, -1, 1].into_iter().filter(move |&number| from <= number && number <= to).chain(random)
}

same_on_devices! {
    fn directions(a: u32, b: u32) {
        let x = step_x(a);
        let y = step_y(a);
    } -> {
        x_step: i32 = x, y_step: i32 = y, after: u32 = turned(a, b), between: u32 = turns(a, b), apart: u32 = angle(a, b),
        left: u32 = adjacent_direction(a, 0u32), right: u32 = adjacent_direction(a, 2u32),
        projected: i32 = cosine(angle(a, b)),
    } for (0..64u32).map(|i| (i % 8, i / 8))
}

same_on_devices! {
    fn diagonals(direction: u32, free: u32, walls: u32) {
        let is_between = select(is_shut(direction, walls), 1u32, 0u32);
        let asks = select(asks_exchange(direction, free, walls), 1u32, 0u32);
        let around_it = walls_beside(direction, free & 1u32 == 1u32, free & 2u32 == 2u32);
    } -> { all: u32 = blocked_diagonals(walls), between: u32 = is_between, exchange: u32 = asks, next: u32 = around_it }
    for (0..256u32).flat_map(|walls| (0..8).map(move |direction| (direction, (walls * 37 % 256) & !walls, walls)))
}

// Products of values of both signs and any factor, as long as they fit.
same_on_devices! {
    fn products(value: i32, factor: i32) -> i32 { scaled(value, factor) }
    for numbers(-(1 << 29), 1 << 29).zip(numbers(0, i32::MAX).skip(3)).flat_map(|(value, factor)| {
        // Includes small factors, and the largest whose product fits.
        let cap = (i64::from(i32::MAX) * i64::from(ONE) / (i64::from(value).abs() + i64::from(ONE))) as i32;
        [(value, cap), (value, factor % cap.max(1)), (value >> 20, factor), (-1, factor), (0, factor), (1 - ONE, factor)]
    })
}

same_on_devices! {
    fn projections(ahead: i32, left: i32, right: i32) -> i32 { projection(ahead, left, right) }
    for numbers(-(1 << 29), 1 << 29).zip(numbers(-(1 << 29), 1 << 29).skip(7)).zip(numbers(-(1 << 29), 1 << 29).skip(11))
        .map(|((ahead, left), right)| (ahead, left, right))
}

same_on_devices! {
    fn keys(score: i32, turned_by: u32, right: u32) -> i32 { key(score, turned_by, right) }
    for numbers(-MAX_SCORE, MAX_SCORE).flat_map(|score| (0..16u32).map(move |i| (score, i % 8, i / 8)))
}

same_on_devices! {
    fn scores(direction: u32, wanted: u32, pushed: i32, followed: i32, avoided: i32, fixed: i32) {
        let weights = Weights {
            heading: 65_536i32.runtime(), crowd: 3_277i32.runtime(), same: 1_311i32.runtime(), oncoming: 6_554i32.runtime(),
            side: 655i32.runtime(), threshold: 0i32.runtime(),
        };
    } -> { score: i32 = weights.score_towards(direction, wanted, pushed, followed, avoided, fixed) }
    for numbers(-(1 << 29), 1 << 29).zip(numbers(0, 1 << 29).skip(3)).zip(numbers(0, 1 << 29).skip(5)).zip(words())
        .map(|(((pushed, followed), avoided), word)| {
            (word % 8, word / 8 % 8, pushed, followed, avoided, (word % 100_000) as i32 - 50_000)
        })
}

macro_rules! readings {
    ($name:ident, $reading:expr) => {
        same_on_devices! {
            fn $name(heading: u32, sector: u32, own: u32) {
                let avoided = select(repels(heading, sector, own, $reading), 1u32, 0u32);
            } -> { same: u32 = attracted(heading, sector, own, $reading), oncoming: u32 = avoided }
            for (0..512u32).map(|i| (i % 8, i / 8 % 8, i / 64))
        }
    };
}

readings!(by_heading, Reading::Heading);
readings!(by_cone, Reading::Cone);

same_on_devices! {
    fn traces(trace: u32) {
        let quick = decayed(trace, 1u32);
        let slow = decayed(trace, 5u32);
    } -> { after_quick: u32 = quick, after_slow: u32 = slow }
    for (0..70u32).chain(words().map(|word| word % (33 * ONE as u32))).map(|trace| (trace,))
}

same_on_devices! {
    fn votes(drawn: u32, one: u32, other_drawn: u32, other: u32) {
        let wins = select(beats(priority(drawn), one, priority(other_drawn), other), 1u32, 0u32);
        let swaps = select(exchange(one % 8u32, other % 8u32), 1u32, 0u32);
    } -> { first: u32 = priority(drawn), won: u32 = wins, exchanged: u32 = swaps }
    // Includes equal priorities.
    for words().zip(words().skip(5)).flat_map(|(a, b)| [(a, b, b, a), (a, b, a, a), (a, 7, a | 15, 7), (a, a % 8, b, (a + 4) % 8)])
}

same_on_devices! {
    fn draws(low: u32, high: u32, number: u32, tick: u32) {
        let seed = Seed { low, high };
        let drawn = seed.of_tick(number, tick);
        let thinks = select(seed.chooses(number, tick), 1u32, 0u32);
    } -> {
        priority: u32 = drawn.priority, right: u32 = drawn.prefers_right, choice: u32 = thinks,
        place: u32 = seed.first_place(number, tick, 7u32),
    } for words().zip(words().skip(3)).zip(words().skip(5)).zip(words().skip(7))
        .map(|(((low, high), number), tick)| (low, high, number, tick))
}

same_on_devices! {
    fn pauses(period: u32, direction: u32) {
        let equal = pause(period, direction, true);
        let other = pause(period, direction, false);
    } -> { equal_speeds: u32 = equal, equal_times: u32 = other }
    for [1, 2, 3, 50, MAX_PERIOD - 1, MAX_PERIOD].into_iter().chain(words().map(|word| 1 + word % MAX_PERIOD))
        .flat_map(|period| [(period, 0), (period, 1)])
}

same_on_devices! {
    fn bodies(offset: i32, other: i32, columns: i32, rows: i32) {
        let across = gap(offset, columns);
        let up = gap(other, rows);
    } -> {
        x_gap: i32 = across, y_gap: i32 = up, ring_of_field: i32 = ring(across, up, columns, rows),
        centre: i32 = to_centre(offset, columns), reads: i32 = middle(rows),
    } for numbers(-1500, 1500).zip(numbers(-1500, 1500).skip(3)).enumerate().map(|(i, (x, y))| {
        // Includes offsets near the body.
        let [x, y] = [x, y].map(|offset| if i % 2 == 0 { offset } else { offset % 30 });
        (x, y, 1 + i as i32 % 11, 1 + i as i32 / 11 % 11)
    })
}

same_on_devices! {
    fn body_sizes(heading: u32, columns: i32, rows: i32, possible: u32, prefers_right: u32, blocked: u32) {
        let shape = Shape { heading, columns, rows };
        let (smallest_columns, smallest_rows) = (1i32.runtime(), 1i32.runtime());
        let (largest_columns, largest_rows) = (3i32.runtime(), 5i32.runtime());
        let limits = Limits { smallest_columns, smallest_rows, largest_columns, largest_rows };
        let direction = growth_direction(possible, shape, limits, prefers_right);
        let smaller = Shape { heading, columns, rows };
        let body = Body { pedestrian: 3u32.runtime(), shape: smaller, x: columns * 7, y: rows * 9 };
        let larger = grown(body, select(direction == NONE, 0u32, direction));
    } -> {
        growth: u32 = direction, x: i32 = larger.x, y: i32 = larger.y, most_columns: i32 = larger.shape.columns,
        most_rows: i32 = larger.shape.rows, ticks: u32 = blocked_again(blocked, 1u32 + possible % 5u32),
    } for words().enumerate().map(|(i, word)| {
        (word % 8, 1 + (word >> 3) as i32 % 3, 1 + (word >> 6) as i32 % 5, (word >> 9) % 256, i as u32 % 2, word >> 20)
    })
}

same_on_devices! {
    fn entries(drawn: u32, units: u32) -> u32 { first_place(drawn, units) }
    for words().chain([0, u32::MAX]).flat_map(|drawn| [1, 2, 3, 1 << 15, 1 << 30].map(|units| (drawn, units)))
}

/// Times around the limit of [`is_better`], and around the maximum.
fn times() -> impl Iterator<Item = (u32, u32)> + Clone {
    let limits = [0, 1, 4, 5, 6, 100, NEVER - 4, NEVER - 1, NEVER].into_iter().chain(words());
    limits.flat_map(|present| {
        let limit = present - present / 5;
        [limit.saturating_sub(1), limit, limit.saturating_add(1), present, NEVER].map(|time| (time, present))
    })
}

same_on_devices! {
    fn choices(time: u32, present: u32) {
        let better = select(is_better(time, present), 1u32, 0u32);
        let quarter = select(chooses(present), 1u32, 0u32);
        let allowed = select(allows(present, time & 31u32), 1u32, 0u32);
        let mut best = chosen(9u32.runtime(), present);
        best.consider(1u32.runtime(), time);
        best.consider(2u32.runtime(), time / 2u32);
        best.consider(3u32.runtime(), time);
    } -> { is_better_than: u32 = better, thinks: u32 = quarter, allows_it: u32 = allowed, best_exit: u32 = best.exit, place: u32 = bin(time) }
    for times()
}

same_on_devices! {
    fn nearest_exits(a: u32, b: u32, c: u32) {
        let mut near = nearest();
        near.consider(4u32.runtime(), a);
        near.consider(5u32.runtime(), b);
        near.consider(6u32.runtime(), c);
    } -> { exit: u32 = near.exit }
    for (0..64u32).map(|i| [i % 4, i / 4 % 4, i / 16].map(|length| if length == 3 { u32::MAX } else { length }))
        .map(|[a, b, c]| (a, b, c))
}

// Routes whose times fit in 32 bits, and up to the maximum number of pedestrians ahead.
same_on_devices! {
    fn expected_times(length: u32, period: u32, ahead: u32, queue: i32) -> u32 { expected_time(length, period, ahead, queue) }
    for words().zip(words().skip(3)).flat_map(|(a, b)| {
        let period = 1 + a % MAX_PERIOD;
        let length = b % (u32::MAX / 4 / period).min(1 << 24) * 10;
        [(length, period, a % (1 << 24), (b % 100) as i32 * ONE), (length, period, (1 << 24) - 1, 100 * ONE), (9, 1, 0, b as i32 & i32::MAX)]
    })
}

macro_rules! grids {
    ($name:ident, $planes:ident, $boundary:expr) => {
        same_on_devices! {
            fn $name(width: u32, height: u32, x: i32, y: i32, direction: u32, columns: i32, rows: i32, other: u32) {
                let grid = Grid { width, height, boundary: $boundary };
                let lower_left = y as u32 * width + x as u32;
                let covered = select(grid.covers(lower_left, columns, rows, other), 1u32, 0u32);
            } -> {
                next: u32 = grid.neighbour(x, y, direction), before: u32 = grid.unit_at(x - columns, y - rows),
                covers: u32 = covered,
            } for words().zip(words().skip(9)).flat_map(|(a, b)| {
                [(1, 1), (1, 40), (40, 1), (2, 3), (43, 29), (MAX_SIDE, MAX_SIDE)].map(|(width, height)| {
                    // Includes positions at the border.
                    let [x, y] = [(a, width), (b, height)].map(|(word, side)| {
                        if word % 3 == 0 { (word / 3 % 2) * (side - 1) } else { word / 3 % side }
                    });
                    let [columns, rows] = [(a >> 9, width), (b >> 9, height)].map(|(word, side)| 1 + word % side.min(11));
                    let near = [(x, a >> 5, width), (y, b >> 5, height)].map(|(at, word, side)| (at + word % 12) % side);
                    (width, height, x as i32, y as i32, a / 7 % 8, columns as i32, rows as i32, near[1] * width + near[0])
                })
            })
        }

        same_on_devices! {
            fn $planes(at: u32, radius: u32, side: u32) -> u32 { shown(at, radius, side, $boundary) }
            for [(0, 1), (1, 3), (3, 7), (38, 77), (127, 255), (127, MAX_SIDE)].into_iter().flat_map(|(radius, side)| {
                (0..2 * radius + side.min(600)).flat_map(move |at| [at, side + 2 * radius - 1 - at].map(|at| (at, radius, side)))
            })
        }
    };
}

grids!(closed_grids, closed_planes, Boundary::Closed);
grids!(periodic_grids, periodic_planes, Boundary::Periodic);

macro_rules! ring_sides {
    ($($name:ident: $side:expr),+) => {
        $(same_on_devices! {
            fn $name(ring: i32, first: i32, last: i32) {
                let found = ends(ring, first, last, comptime!(SIDES[$side]));
            } -> { from: i32 = found.first, middle: i32 = found.middle, last_part: i32 = found.last, end: i32 = found.end }
            for (1..128i32).flat_map(|ring| (0..4).map(move |i| (ring, -ring + i, ring - 2 * i)))
        })+
    };
}

ring_sides!(eastern_sides: 0, northern_sides: 1, western_sides: 2, southern_sides: 3);
