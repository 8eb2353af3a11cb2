//! Local densities: the number of pedestrians around each one.

use std::f64::consts::PI;

use throng_model::replay::InterpolatedAgent;

/// Radius within which pedestrians are counted, m.
pub const REACH_M: f64 = 1.0;

/// Returns for each pedestrian the number within [`REACH_M`], including itself, per square metre. Walls are not
/// subtracted from the area. In a periodic world with these side lengths, neighbours may be beyond its border.
pub fn densities(persons: &[InterpolatedAgent], periodic_m: Option<[f64; 2]>) -> Vec<f64> {
    let mut places: Vec<[f64; 2]> = persons.iter().map(|person| person.position).collect();
    if let Some(sides) = periodic_m {
        places.extend(beyond_borders(&places, sides));
    }
    // Sorted by rows as high as the reach, then by x: all neighbours are in three rows.
    let row = |y: f64| (y / REACH_M).floor();
    let order = |a: &[f64; 2], b: &[f64; 2]| row(a[1]).total_cmp(&row(b[1])).then(a[0].total_cmp(&b[0]));
    places.sort_unstable_by(order);
    let around = |[x, y]: [f64; 2]| {
        let in_row = |number: f64| {
            let key = [x - REACH_M, (row(y) + number + 0.5) * REACH_M];
            let first = places.partition_point(|place| order(place, &key).is_lt());
            let near =
                places[first..].iter().take_while(move |place| row(place[1]) == row(key[1]) && place[0] <= x + REACH_M);
            near.filter(|place| libm::hypot(place[0] - x, place[1] - y) <= REACH_M).count()
        };
        [-1.0, 0.0, 1.0].map(in_row).into_iter().sum::<usize>()
    };
    persons.iter().map(|person| around(person.position) as f64 / (PI * REACH_M * REACH_M)).collect()
}

/// Returns the periodic images of positions that are within reach of the world.
fn beyond_borders(places: &[[f64; 2]], sides: [f64; 2]) -> Vec<[f64; 2]> {
    let shifts = [[-1.0, -1.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 0.0], [1.0, 1.0]];
    let is_near = |place: &[f64; 2]| (0..2).all(|axis| (-REACH_M..=sides[axis] + REACH_M).contains(&place[axis]));
    let shifted = places.iter().flat_map(|place| {
        shifts.map(|shift: [f64; 2]| std::array::from_fn(|axis| place[axis] + shift[axis] * sides[axis]))
    });
    shifted.filter(is_near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn persons(places: &[[f64; 2]]) -> Vec<InterpolatedAgent> {
        let person =
            |(id, &position)| InterpolatedAgent { id, position, orientation: [1.0, 0.0], displacement_m: None };
        (0..).zip(places).map(person).collect()
    }

    fn counts(places: &[[f64; 2]], periodic_m: Option<[f64; 2]>) -> Vec<f64> {
        densities(&persons(places), periodic_m).iter().map(|density| (density * PI).round()).collect()
    }

    #[test]
    fn pedestrians_within_a_metre_are_counted() {
        let places = [[0.5, 0.9], [1.5, 0.9], [0.5, 1.8], [3.9, 3.9], [2.6, 0.9], [0.5, 0.9]];
        assert_eq!(counts(&places, None), [4.0, 3.0, 3.0, 1.0, 1.0, 4.0]);
        assert!(counts(&[], None).is_empty());
    }

    #[test]
    fn neighbours_beyond_a_periodic_border_are_counted() {
        let places = [[0.2, 0.2], [9.8, 0.2], [0.2, 3.8], [9.8, 3.8], [5.0, 2.0]];
        assert_eq!(counts(&places, Some([10.0, 4.0])), [4.0, 4.0, 4.0, 4.0, 1.0]);
        assert_eq!(counts(&places, None), [1.0; 5]);
    }
}
