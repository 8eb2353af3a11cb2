//! GeoTIFF: a raster with a position on Earth, for geographic information systems.
//!
//! The file has one band of 32-bit floats or of unsigned integers, compressed with Deflate. Its first row is the
//! northernmost one, which is the last row of the field. Tags follow the standard OGC 19-008r4.

use std::io::{Seek, Write};

use throng_core::InputError;
use tiff::encoder::colortype::{ColorType, Gray8, Gray32, Gray32Float};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, TiffKind, TiffKindBig, TiffKindStandard, TiffValue};
use tiff::tags::Tag;

use crate::{Grid, Raster, Sample};

/// Number of bytes at and above which BigTIFF is written, because offsets in classic TIFF have 32 bits. Compressed data
/// may be slightly larger than the values, so this is less than 4 GiB.
const LARGE: u64 = 0xF000_0000;

/// Keys of the `GeoKey` directory (tag 34735).
mod key {
    pub const MODEL_TYPE: u16 = 1024;
    pub const RASTER_TYPE: u16 = 1025;
    pub const GEODETIC: u16 = 2048;
    pub const PROJECTED: u16 = 3072;
}

/// Coordinate system of the world of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum System {
    Projected(u16),
    Geographic(u16),
}

/// The values of a file, row by row.
#[derive(Debug, Clone)]
enum Values<'a> {
    Floats(Raster<'a>),
    Bytes(Vec<u8>),
    Words(&'a [u32]),
}

/// A field to be written as GeoTIFF.
///
/// ```
/// use throng_pictures::{Grid, Raster, files::geotiff::GeoTiff};
///
/// let grid = Grid::new([0.0, 0.0], 10.0, 30, 20)?;
/// let field = Raster::from_fn(grid, |[x, _]| (x / 30.0) as f32);
/// let mut file = std::io::Cursor::new(Vec::new());
/// // A location in Munich, in UTM zone 32 north.
/// GeoTiff::new(&field).at([691_000.0, 5_334_000.0])?.with_projected_system(25832)?.write(&mut file)?;
/// // TIFF, in either byte order.
/// assert!(matches!(&file.get_ref()[..4], b"II*\0" | b"MM\0*"));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GeoTiff<'a> {
    grid: Grid,
    values: Values<'a>,
    /// Coordinates of the world's point (0, 0).
    origin: [f64; 2],
    system: Option<System>,
    /// Value written for cells that are infinite or NaN.
    no_data: f32,
}

impl<'a> GeoTiff<'a> {
    /// Creates a file without a coordinate system. NaN means no data, and also replaces infinite values.
    pub fn new(raster: impl Into<Raster<'a>>) -> Self {
        let raster = raster.into();
        Self { grid: *raster.grid(), values: Values::Floats(raster), origin: [0.0; 2], system: None, no_data: f32::NAN }
    }

    /// Creates a file of unsigned integers, row by row, of 8 bits if all of them are below 256 (`are_bytes`), else of
    /// 32 bits. No cell is without data.
    ///
    /// # Errors
    /// When the number of integers differs from that of cells, or one does not fit into 8 bits.
    pub fn of_integers(grid: Grid, integers: &'a [u32], are_bytes: bool) -> Result<Self, InputError> {
        if integers.len() != grid.cells() {
            let remedy = format!("the grid has {} cells", grid.cells());
            return Err(InputError::one("GeoTIFF, number of integers", integers.len(), remedy));
        }
        let values = if are_bytes {
            let byte = |&integer: &u32| {
                let remedy = "expected at most 255 for 8 bits";
                u8::try_from(integer).map_err(|_| InputError::one("GeoTIFF, integers", integer, remedy))
            };
            Values::Bytes(integers.iter().map(byte).collect::<Result<_, _>>()?)
        } else {
            Values::Words(integers)
        };
        Ok(Self { grid, values, origin: [0.0; 2], system: None, no_data: f32::NAN })
    }

    /// Sets the coordinates of the world's point (0, 0). Worlds should have a local origin, because large
    /// single-precision coordinates are imprecise.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn at(self, origin: [f64; 2]) -> Result<Self, InputError> {
        match origin.iter().find(|at| !at.is_finite()) {
            Some(at) => Err(InputError::one("GeoTIFF, origin", at, "expected finite coordinates")),
            None => Ok(Self { origin, ..self }),
        }
    }

    /// Declares that world units are the units of a projected coordinate system, given by its EPSG code, such as 25832
    /// for UTM zone 32 north.
    ///
    /// # Errors
    /// When the code is not from 1024 to 32,766.
    pub fn with_projected_system(self, epsg: u16) -> Result<Self, InputError> {
        Ok(Self { system: Some(System::Projected(checked(epsg)?)), ..self })
    }

    /// Declares that world units are degrees of longitude and latitude in a system given by its EPSG code, such as 4326
    /// for WGS 84.
    ///
    /// # Errors
    /// When the code is not from 1024 to 32,766.
    pub fn with_geographic_system(self, epsg: u16) -> Result<Self, InputError> {
        Ok(Self { system: Some(System::Geographic(checked(epsg)?)), ..self })
    }

    /// Sets the value for cells without data, which is written for infinite values and NaN.
    ///
    /// # Errors
    /// When the value is not finite, or when a cell has it, because that cell would count as missing; or when the
    /// values are integers.
    pub fn with_no_data(self, value: f32) -> Result<Self, InputError> {
        let Values::Floats(field) = &self.values else {
            return Err(InputError::one("GeoTIFF, no data", value, "no cell of a file of integers is without data"));
        };
        let grid = field.grid();
        if !value.is_finite() {
            let remedy = "expected a finite number; without this call, NaN means no data";
            return Err(InputError::one("GeoTIFF, no data", value, remedy));
        }
        if let Some(cell) = field.values().iter().position(|&other| other == value) {
            let (column, row) = grid.place(cell);
            let place = format!("cell ({column}, {row})");
            return Err(InputError::one(place, value, "means no data: choose a value that no cell has"));
        }
        Ok(Self { no_data: value, ..self })
    }

    /// Writes the file. Takes as much additional memory as the field.
    ///
    /// # Errors
    /// When writing to the target fails.
    pub fn write(&self, target: impl Write + Seek) -> Result<(), InputError> {
        let written = if self.grid.cells() as u64 * 4 < LARGE {
            self.write_as::<TiffKindStandard>(target)
        } else {
            self.write_as::<TiffKindBig>(target)
        };
        written.map_err(|error| InputError::not_written("GeoTIFF", error))
    }

    fn write_as<K: TiffKind>(&self, target: impl Write + Seek) -> tiff::TiffResult<()> {
        match &self.values {
            Values::Floats(field) => {
                self.write_values::<K, Gray32Float>(target, field.values(), |value| self.written(value))
            }
            Values::Bytes(bytes) => self.write_values::<K, Gray8>(target, bytes, |byte| byte),
            Values::Words(words) => self.write_values::<K, Gray32>(target, words, |word| word),
        }
    }

    /// Writes values, after converting each to the number that is written.
    fn write_values<K: TiffKind, C: ColorType>(
        &self,
        target: impl Write + Seek,
        values: &[C::Inner],
        written: impl Fn(C::Inner) -> C::Inner,
    ) -> tiff::TiffResult<()>
    where
        C::Inner: Copy,
        [C::Inner]: TiffValue,
    {
        let grid = &self.grid;
        let compression = Compression::Deflate(DeflateLevel::Balanced);
        let mut file = TiffEncoder::<_, K>::new_generic(target)?.with_compression(compression);
        let mut image = file.new_image::<C>(grid.columns(), grid.rows())?;
        let cell = f64::from(grid.cell());
        let tags = image.encoder();
        tags.write_tag(Tag::ModelPixelScaleTag, [cell, cell, 0.0].as_slice())?;
        tags.write_tag(Tag::ModelTiepointTag, self.tie_point().as_slice())?;
        tags.write_tag(Tag::GeoKeyDirectoryTag, self.keys().as_slice())?;
        if matches!(self.values, Values::Floats(_)) {
            tags.write_tag(Tag::GdalNodata, self.no_data().as_str())?;
        }
        // Writes all rows at once: strips written one by one are not compressed, despite the tag.
        let southwards = values.chunks(grid.columns() as usize).rev().flatten();
        image.write_data(&southwards.map(|&value| written(value)).collect::<Vec<_>>())
    }

    /// Returns the number written for a value.
    fn written(&self, value: f32) -> f32 {
        if value.is_finite() { value } else { self.no_data }
    }

    /// Returns the value of cells without data as text.
    fn no_data(&self) -> String {
        if self.no_data.is_finite() { self.no_data.to_string() } else { "nan".to_owned() }
    }

    /// Returns a point of the image and the same point of the world: the north-west corner of the raster if values
    /// belong to areas, the north-west sample if they belong to points.
    fn tie_point(&self) -> [f64; 6] {
        let grid = &self.grid;
        let [x, y] = [0, 1].map(|axis| self.origin[axis] + grid.origin()[axis]);
        let cells = match grid.sample() {
            Sample::Centre => grid.rows(),
            Sample::Corner => grid.rows() - 1,
        };
        [0.0, 0.0, 0.0, x, y + f64::from(cells) * f64::from(grid.cell()), 0.0]
    }

    /// Returns the `GeoKey` directory: its version, the number of keys, and each key with its value.
    fn keys(&self) -> Vec<u16> {
        let raster = match self.grid.sample() {
            Sample::Centre => 1,
            Sample::Corner => 2,
        };
        let keys = match self.system {
            None => vec![(key::RASTER_TYPE, raster)],
            Some(System::Projected(code)) => {
                vec![(key::MODEL_TYPE, 1), (key::RASTER_TYPE, raster), (key::PROJECTED, code)]
            }
            Some(System::Geographic(code)) => {
                vec![(key::MODEL_TYPE, 2), (key::RASTER_TYPE, raster), (key::GEODETIC, code)]
            }
        };
        let head = [1, 1, 1, keys.len() as u16];
        head.into_iter().chain(keys.into_iter().flat_map(|(key, value)| [key, 0, 1, value])).collect()
    }
}

/// Rejects codes that have another meaning in the standard.
pub fn checked(epsg: u16) -> Result<u16, InputError> {
    if (1024..=32_766).contains(&epsg) {
        return Ok(epsg);
    }
    Err(InputError::one("GeoTIFF, EPSG code", epsg, "expected a code from 1024 to 32766"))
}

#[cfg(test)]
mod tests;
