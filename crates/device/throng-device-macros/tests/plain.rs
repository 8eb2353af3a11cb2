//! Rules of every form, as written for CubeCL.

use throng_device_macros::{
    AbsentKernelArrays as KernelArrays, AbsentKernelParameter as KernelParameter, CubeLaunch, CubeType, comptime, cube,
};

/// Stand-in for `throng_device::cubecl`.
mod cubecl {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Once,
    Often,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq)]
struct Room {
    left: u32,
    #[cube(comptime)]
    step: u32,
}

/// Without CubeCL there are no arrays, but a rule may have a struct that contains some in other builds.
#[derive(CubeType, CubeLaunch, KernelArrays, Debug, PartialEq)]
#[buffers(owned)]
struct Rooms {
    left: Vec<u32>,
    #[cube(comptime)]
    step: u32,
}

#[cube]
impl Room {
    fn take(&mut self) -> bool {
        let fits = self.left >= self.step;
        if fits {
            self.left -= self.step;
        }
        fits
    }
}

#[cube]
trait Queue {
    fn len(&self) -> u32;
    fn pop(&mut self) -> u32;
}

impl Queue for Vec<u32> {
    fn len(&self) -> u32 {
        self.as_slice().len() as u32
    }

    fn pop(&mut self) -> u32 {
        self.remove(0)
    }
}

#[cube]
fn sum<Q: Queue>(queue: &mut Q, #[comptime] way: Way, #[comptime] factor: u32) -> u32 {
    let mut sum = 0u32;
    match way {
        Way::Once => sum += queue.pop() * comptime!(factor + 1),
        Way::Often =>
        {
            #[unroll]
            for _ in 0..queue.len() {
                sum += queue.pop();
            }
        }
    }
    sum
}

#[test]
fn rules_run_as_plain_rust() {
    assert_eq!(sum(&mut vec![3, 4, 5], Way::Once, 1), 6);
    assert_eq!(sum(&mut vec![3, 4, 5], Way::Often, 1), 12);
    let mut room = Room { left: 5, step: 2 };
    assert_eq!([(); 3].map(|()| room.take()), [true, true, false]);
    assert_eq!(room, Room { left: 1, step: 2 });
    assert_eq!(Rooms { left: vec![1], step: 2 }, Rooms { left: vec![1], step: 2 });
}
