//! Positions and sizes of links and vehicles in the scene.

use throng_scene::{OrientedBox, Point, Rgb, ground};
use throng_traffic_scenario::Network;

use super::queues::PositionedVehicle;

/// Width of a lane, m.
const LANE_M: f64 = 3.5;
/// Length, height and width of a vehicle, m.
const VEHICLE_M: Point = [4.5, 1.5, 1.8];
/// Thickness of a link, m.
const THICKNESS_M: f64 = 0.1;
/// Maximum number of vehicles, one behind the other, along the longer side of a network.
const MAX_VEHICLES: f64 = 400.0;

/// The links of a network in the plane. The middle of the network is the origin, because renderers compute with seven
/// significant digits.
///
/// In the image of a whole city, lanes and vehicles of their true size would be invisible. Their widths, and the
/// lengths and heights of vehicles, are multiplied by a common factor, so that a vehicle is at least a 400th of the
/// network's longer side. Positions stay true: enlarged vehicles in a queue overlap.
#[derive(Debug)]
pub struct Roads {
    /// The enlargement factor, at least 1.
    pub enlarged: f64,
    /// Half the side lengths of the network, m; each is at least the length of a vehicle.
    pub half_size: [f64; 2],
    /// `None` for links that begin and end at the same point, which are not shown.
    links: Vec<Option<Road>>,
}

/// A link.
#[derive(Debug, Clone, Copy)]
struct Road {
    /// The start point, m.
    from: [f64; 2],
    /// Unit vector of the direction.
    along: [f64; 2],
    /// Distance between its ends, m; `length_m` is often longer.
    distance_m: f64,
    length_m: f64,
    lanes: f64,
}

impl Roads {
    pub fn new(network: &Network) -> Self {
        let sides = [&network.node_x, &network.node_y].map(|values| {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if least <= most { [least, most] } else { [0.0; 2] }
        });
        let middle = sides.map(|[least, most]| f64::midpoint(least, most));
        let half_size = sides.map(|[least, most]| ((most - least) / 2.0).max(VEHICLE_M[0]));
        let longer_side = 2.0 * half_size[0].max(half_size[1]);
        let place = |node: u32| {
            let node = node as usize;
            [network.node_x[node] - middle[0], network.node_y[node] - middle[1]]
        };
        let road = |link: usize| {
            let (from, to) = (place(network.from[link]), place(network.to[link]));
            let [x, y] = [to[0] - from[0], to[1] - from[1]];
            let distance_m = libm::hypot(x, y);
            let [length_m, lanes] = [network.length_m[link], network.lanes[link].max(1.0)];
            let along = [x / distance_m, y / distance_m];
            (distance_m > 1e-6).then_some(Road { from, along, distance_m, length_m, lanes })
        };
        Self {
            enlarged: (longer_side / MAX_VEHICLES / VEHICLE_M[0]).max(1.0),
            half_size,
            links: (0..network.links()).map(road).collect(),
        }
    }

    /// Returns the length, m, and the number of lanes of a link; `None` if it is not shown.
    pub fn lanes(&self, link: u32) -> Option<(f64, u32)> {
        self.links[link as usize].map(|road| (road.length_m, road.lanes as u32))
    }

    /// Returns the flat box of a link, to the right of the line between its ends, so that the two directions of a road
    /// lie side by side. `None` if it is not shown.
    pub fn link_box(&self, link: usize, albedo: Rgb) -> Option<OrientedBox> {
        let road = self.links[link]?;
        let half_width = road.lanes * LANE_M * self.enlarged / 2.0;
        // Thicknesses differ, so that links that overlap at a node are not in the same plane.
        let thickness = THICKNESS_M * self.enlarged * (1.0 + (link % 7) as f64 / 20.0);
        Some(OrientedBox {
            center: road.place(road.distance_m / 2.0, half_width, thickness / 2.0),
            half_size: [road.distance_m / 2.0, thickness / 2.0, half_width],
            along: road.direction(),
            albedo,
            ..OrientedBox::default()
        })
    }

    /// Returns the box of a vehicle in the middle of its lane. `None` if its link is not shown.
    pub fn vehicle_box(&self, vehicle: &PositionedVehicle, albedo: Rgb) -> Option<OrientedBox> {
        let road = self.links[vehicle.stay.link as usize]?;
        let size = VEHICLE_M.map(|side| side * self.enlarged);
        // On a link of length 0 the vehicle is at the end.
        let share = if road.length_m > 0.0 { vehicle.front_m / road.length_m } else { 1.0 };
        let along_m = (share * road.distance_m - size[0] / 2.0).max(0.0);
        let right_m = (f64::from(vehicle.lane) + 0.5) * LANE_M * self.enlarged;
        // The vehicle stands on the upper side of the thickest links.
        let height = THICKNESS_M * self.enlarged * 1.3 + size[1] / 2.0;
        Some(OrientedBox {
            center: road.place(along_m, right_m, height),
            half_size: size.map(|side| side / 2.0),
            along: road.direction(),
            albedo,
            ..OrientedBox::default()
        })
    }
}

impl Road {
    /// Returns the point at a distance along the link, to the right of it and above the ground.
    fn place(&self, along_m: f64, right_m: f64, height: f64) -> Point {
        let ([x, y], [along_x, along_y]) = (self.from, self.along);
        ground(x + along_x * along_m + along_y * right_m, y + along_y * along_m - along_x * right_m, height)
    }

    fn direction(&self) -> Point {
        ground(self.along[0], self.along[1], 0.0)
    }
}
