//! The traversal of the tree by a packet.

#![allow(clippy::needless_range_loop, reason = "a lane has the same index in several arrays")]

use super::lanes::{LANES, Lanes, Rays, Vectors};
use super::packet::{Hits, test_leaf};
use crate::PackedScene;
use crate::bvh::{MAX_LEVELS, leaf_of};
use crate::rules::FAR;
use crate::rules::bounds::{BoxRay, box_ray, entry};
use crate::rules::ray::slack;
use crate::rules::vector::Vector3;

/// The rays of a packet in the form that box tests need.
struct BoxRays {
    above: Vectors,
    below: Vectors,
    inverse: Vectors,
}

impl BoxRays {
    #[inline(always)]
    fn new(scene: &PackedScene, rays: &Rays) -> Self {
        let mut all = Self { above: Vectors::ZERO, below: Vectors::ZERO, inverse: Vectors::ZERO };
        let [x, y, z] = scene.center;
        let center = Vector3 { x, y, z };
        for lane in 0..LANES {
            let ray = rays.at(lane);
            let one = box_ray(ray.origin, ray.direction, slack(ray.origin, center, scene.radius));
            all.above.set(lane, one.above);
            all.below.set(lane, one.below);
            all.inverse.set(lane, one.inverse);
        }
        all
    }

    #[inline(always)]
    fn at(&self, lane: usize) -> BoxRay {
        BoxRay { above: self.above.at(lane), below: self.below.at(lane), inverse: self.inverse.at(lane) }
    }

    /// The entry distance of each ray into a box, whose six numbers start at index `first`.
    #[inline(always)]
    fn entries(&self, boxes: &[f32; 12], first: usize, farthest: &Lanes) -> Lanes {
        let low = Vector3 { x: boxes[first], y: boxes[first + 1], z: boxes[first + 2] };
        let high = Vector3 { x: boxes[first + 3], y: boxes[first + 4], z: boxes[first + 5] };
        let mut entries = [0.0; LANES];
        for lane in 0..LANES {
            entries[lane] = entry(self.at(lane), low, high, farthest[lane]);
        }
        entries
    }
}

/// Whether any ray enters a box, that is, whether any entry distance is below [`FAR`].
#[inline(always)]
fn is_entered(entries: &Lanes) -> bool {
    let mut is_any = false;
    for lane in 0..LANES {
        is_any |= entries[lane] < FAR;
    }
    is_any
}

/// A subtree to visit later, and the distances at which the rays enter it.
#[derive(Clone, Copy)]
struct Later {
    child: u32,
    entries: Lanes,
}

/// Finds hits that are nearer than those in `hits`. With `ANY`, a ray ends at the first hit that is found.
///
/// Rays with a negative maximum distance are inactive.
#[inline(always)]
pub(super) fn walk<const ANY: bool>(scene: &PackedScene, rays: &Rays, hits: &mut Hits) {
    let tree = &scene.tree;
    if tree.children.is_empty() {
        return;
    }
    let box_rays = BoxRays::new(scene, rays);
    // The ray that determines which child is visited first.
    let lead = (0..LANES).find(|&lane| hits.t[lane] > 0.0).unwrap_or(0);
    let mut later = [Later { child: 0, entries: [FAR; LANES] }; MAX_LEVELS as usize];
    let mut waiting = 0;
    let mut child = 0_u32;
    loop {
        let mut is_done = true;
        if let Some(leaf) = leaf_of(child) {
            test_leaf::<ANY>(scene, rays, leaf, hits);
        } else {
            let (boxes, children) = (&tree.boxes[child as usize], tree.children[child as usize]);
            let of_first = box_rays.entries(boxes, 0, &hits.t);
            let of_second = box_rays.entries(boxes, 6, &hits.t);
            match (is_entered(&of_first), is_entered(&of_second)) {
                (true, true) => {
                    let is_first_nearer = of_first[lead] <= of_second[lead];
                    let far = usize::from(is_first_nearer);
                    later[waiting].child = children[far];
                    later[waiting].entries = if is_first_nearer { of_second } else { of_first };
                    waiting += 1;
                    child = children[1 - far];
                    is_done = false;
                }
                (true, false) => {
                    child = children[0];
                    is_done = false;
                }
                (false, true) => {
                    child = children[1];
                    is_done = false;
                }
                (false, false) => {}
            }
        }
        while is_done {
            if waiting == 0 {
                return;
            }
            waiting -= 1;
            let mut is_useful = false;
            for lane in 0..LANES {
                is_useful |= later[waiting].entries[lane] <= hits.t[lane];
            }
            child = later[waiting].child;
            is_done = !is_useful;
        }
    }
}
