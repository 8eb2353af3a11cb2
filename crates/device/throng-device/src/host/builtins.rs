//! Positions of units and cubes.

use cubecl::ir::Builtin;

/// Position of a unit in a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    /// Units of a cube along each axis.
    pub cube_dim: [u32; 3],
    /// Cubes along each axis.
    pub cube_count: [u32; 3],
    pub cube: [u32; 3],
    /// Index of the unit in its cube.
    pub unit: u32,
}

/// Index of a position in a box; x is the fastest axis.
fn index_in(sides: [u32; 3], [x, y, z]: [u64; 3]) -> u64 {
    let [width, height, _] = sides.map(u64::from);
    (z * height + y) * width + x
}

fn volume(sides: [u32; 3]) -> u64 {
    sides.map(u64::from).iter().product()
}

impl Position {
    /// Index of the cube.
    pub fn cube_index(&self) -> u64 {
        index_in(self.cube_count, self.cube.map(u64::from))
    }

    fn unit_along(&self, axis: usize) -> u64 {
        let below: u32 = self.cube_dim[..axis].iter().product();
        (self.unit / below % self.cube_dim[axis]).into()
    }

    fn absolute(&self, axis: usize) -> u64 {
        u64::from(self.cube[axis]) * u64::from(self.cube_dim[axis]) + self.unit_along(axis)
    }

    /// Value of a constant of kernels; `None` for planes and clusters, which this device does not have.
    pub fn value(&self, builtin: Builtin) -> Option<u64> {
        use Builtin as B;
        Some(match builtin {
            B::UnitPos => self.unit.into(),
            B::UnitPosX => self.unit_along(0),
            B::UnitPosY => self.unit_along(1),
            B::UnitPosZ => self.unit_along(2),
            B::CubePos => self.cube_index(),
            B::CubePosX => self.cube[0].into(),
            B::CubePosY => self.cube[1].into(),
            B::CubePosZ => self.cube[2].into(),
            B::CubeDim => volume(self.cube_dim),
            B::CubeDimX => self.cube_dim[0].into(),
            B::CubeDimY => self.cube_dim[1].into(),
            B::CubeDimZ => self.cube_dim[2].into(),
            B::CubeCount => volume(self.cube_count),
            B::CubeCountX => self.cube_count[0].into(),
            B::CubeCountY => self.cube_count[1].into(),
            B::CubeCountZ => self.cube_count[2].into(),
            B::AbsolutePosX => self.absolute(0),
            B::AbsolutePosY => self.absolute(1),
            B::AbsolutePosZ => self.absolute(2),
            B::AbsolutePos => {
                let sides = [0, 1, 2].map(|axis| self.cube_count[axis] * self.cube_dim[axis]);
                index_in(sides, [0, 1, 2].map(|axis| self.absolute(axis)))
            }
            _ => return None,
        })
    }
}

pub(super) fn is_supported(builtin: Builtin) -> bool {
    let only = Position { cube_dim: [1; 3], cube_count: [1; 3], cube: [0; 3], unit: 0 };
    only.value(builtin).is_some()
}
