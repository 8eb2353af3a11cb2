//! Compares the trees of this crate with those of the crate `obvhs`, whose slowest builder optimises its trees
//! thoroughly.

use std::time::{Duration, Instant};

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use throng_core::Philox;

use super::{Bounds, Item, Leaf, MAX_LEVELS, Tree, build, leaf_of};
use crate::rules::FAR;
use crate::rules::bounds::{box_ray, entry};
use crate::rules::vector::Vector3;

/// The boxes of a lattice, of a crowd, and of a cluster in a large room.
fn scenes() -> [(&'static str, Vec<Bounds>); 3] {
    let draws = Philox::new(5);
    let number = |i: u32, purpose: u32| draws.unit(i, 0, purpose, 0);
    let lattice = |i: u32| [i % 10, i / 10 % 10, i / 100].map(f64::from);
    let crowd = |i: u32| [200.0 * number(i, 0), 0.9, 200.0 * number(i, 1)];
    let cluster = |i: u32| {
        let reach = if i.is_multiple_of(4) { 100.0 } else { 1.0 };
        [0, 1, 2].map(|axis| reach * (number(i, axis) - 0.5))
    };
    [
        ("lattice", (0..1000).map(|i| Bounds::around(lattice(i), [0.3; 3])).collect()),
        ("crowd", (0..20_000).map(|i| Bounds::around(crowd(i), [0.25, 0.9, 0.25])).collect()),
        ("cluster", (0..5000).map(|i| Bounds::around(cluster(i), [0.05 + 0.2 * number(i, 4); 3])).collect()),
    ]
}

/// Converts a tree of `obvhs` into our form.
fn converted(other: &Bvh2) -> Tree {
    let bounds = |node: usize| {
        let Aabb { min, max } = other.nodes[node].aabb;
        [min.x, min.y, min.z, max.x, max.y, max.z]
    };
    let mut tree = Tree::default();
    let mut waiting = vec![(0_usize, None)];
    while let Some((node, parent)) = waiting.pop() {
        let first = other.nodes[node].first_index as usize;
        let count = other.nodes[node].prim_count;
        let child = if count > 0 {
            Leaf { kind: 0, first: first as u32, count: count.min(4) }.packed()
        } else {
            let mut boxes = [0.0; 12];
            boxes[..6].copy_from_slice(&bounds(first));
            boxes[6..].copy_from_slice(&bounds(first + 1));
            tree.boxes.push(boxes);
            tree.children.push([0; 2]);
            let at = tree.boxes.len() - 1;
            waiting.extend([(first, Some((at, 0))), (first + 1, Some((at, 1)))]);
            at as u32
        };
        if let Some((parent, side)) = parent {
            tree.children[parent][side] = child;
        }
    }
    tree
}

/// The number of nodes and shapes that a ray tests to find the nearest box, and the distance. Boxes stand for shapes.
fn tests_of(tree: &Tree, shapes: &[Bounds], origin: Vector3, direction: Vector3) -> (u64, f32) {
    let vector = |[x, y, z]: [f32; 3]| Vector3 { x, y, z };
    let ray = box_ray(origin, direction, 0.0);
    let (mut tests, mut t) = (0, FAR);
    let mut waiting = vec![(0_u32, 0.0)];
    while let Some((child, enter)) = waiting.pop() {
        if enter > t {
            continue;
        }
        if let Some(leaf) = leaf_of(child) {
            for shape in &shapes[leaf.first as usize..][..leaf.count as usize] {
                tests += 1;
                t = t.min(entry(ray, vector(shape.low), vector(shape.high), t));
            }
            continue;
        }
        tests += 1;
        let boxes = tree.boxes[child as usize];
        let at = |i: usize| Vector3 { x: boxes[i], y: boxes[i + 1], z: boxes[i + 2] };
        let entries = [entry(ray, at(0), at(3), t), entry(ray, at(6), at(9), t)];
        let near = usize::from(entries[1] < entries[0]);
        for side in [1 - near, near] {
            if entries[side] < FAR {
                waiting.push((tree.children[child as usize][side], entries[side]));
            }
        }
    }
    (tests, t)
}

/// The number of tests of several thousand rays, and their hits.
fn of_rays(tree: &Tree, shapes: &[Bounds]) -> (u64, Vec<f32>) {
    let whole = shapes.iter().fold(Bounds::EMPTY, |all, shape| all.with(*shape));
    let (center, radius) = whole.cube();
    let draws = Philox::new(6);
    let mut all = (0, Vec::new());
    for i in 0..4000 {
        let part = |purpose: u32| (draws.unit(i, 0, purpose, 0) * 2.0 - 1.0) as f32;
        // From a box around the scene, or from inside the scene, to a point in it.
        let reach = if i % 2 == 0 { 2.0 * radius } else { 0.5 * radius };
        let origin = Vector3 {
            x: center[0] + reach * part(0),
            y: center[1] + reach * part(1).abs(),
            z: center[2] + reach * part(2),
        };
        // Some rays go to the middle, where clusters are.
        let spread = if i % 3 == 0 { 0.02 } else { 1.0 };
        let to = [3, 4, 5].map(|purpose| spread * part(purpose));
        let direction = Vector3 {
            x: center[0] + 0.8 * radius * to[0] - origin.x,
            y: center[1] + 0.1 * radius * to[1] - origin.y,
            z: center[2] + 0.8 * radius * to[2] - origin.z,
        };
        let direction = crate::rules::vector::normalized(direction, -0.0);
        let (tests, t) = tests_of(tree, shapes, origin, direction);
        all.0 += tests;
        all.1.push(t);
    }
    all
}

#[test]
fn trees_are_about_as_efficient_as_in_another_crate() {
    for (name, boxes) in scenes() {
        let items: Vec<Item> = boxes.iter().zip(0..).map(|(bounds, id)| Item { bounds: *bounds, id }).collect();
        let since = Instant::now();
        let (tree, order) = build(&items);
        let own_s = since.elapsed().as_secs_f64();
        let in_order = |order: &[u32]| order.iter().map(|&i| boxes[i as usize]).collect::<Vec<_>>();
        let own = of_rays(&tree, &in_order(&order));

        let aabbs: Vec<Aabb> = boxes.iter().map(|b| Aabb::new(b.low.into(), b.high.into())).collect();
        let params = BvhBuildParams { max_prims_per_leaf: 4, ..BvhBuildParams::very_slow_build() };
        let since = Instant::now();
        let other = build_bvh2(&aabbs, params, &mut Duration::default());
        let other_s = since.elapsed().as_secs_f64();
        let others = of_rays(&converted(&other), &in_order(&other.primitive_indices));

        assert!(own.1 == others.1, "hits in the {name}");
        assert!(own.1.iter().filter(|&&t| t < FAR).count() > 100, "few hits in the {name}");
        println!(
            "{name}: {} tests in {:.1} ms of building, obvhs {} in {:.1} ms",
            own.0,
            1e3 * own_s,
            others.0,
            1e3 * other_s
        );
        // Counts tests instead of measuring time.
        assert!(own.0 as f64 <= 1.1 * others.0 as f64, "{name}: {} tests, obvhs {}", own.0, others.0);
    }
}

#[test]
fn a_tree_does_not_depend_on_the_number_of_threads_and_is_not_too_deep() {
    for (name, boxes) in scenes() {
        // Many boxes in the same place, which can only be split into halves.
        let same = std::iter::repeat_n(boxes[0], 9000);
        let items: Vec<Item> =
            boxes.iter().copied().chain(same).zip(0..).map(|(bounds, id)| Item { bounds, id }).collect();
        let built = |threads: usize| throng_core::thread_pool(threads).unwrap().install(|| build(&items));
        let (tree, order) = built(1);
        assert!(built(3) == (tree.clone(), order.clone()), "{name}");
        let mut seen = order.clone();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..items.len() as u32), "{name}");
        let mut waiting = vec![(0_u32, 1)];
        let mut shapes = 0;
        while let Some((child, level)) = waiting.pop() {
            assert!(level <= MAX_LEVELS, "{name}");
            match leaf_of(child) {
                Some(leaf) => shapes += leaf.count as usize,
                None => waiting.extend(tree.children[child as usize].map(|child| (child, level + 1))),
            }
        }
        assert_eq!(shapes, items.len(), "{name}");
    }
}
