use std::io::Cursor;

use tiff::decoder::{Decoder, DecodingResult};

use super::*;
use crate::Grid;

fn field(grid: Grid) -> Raster<'static> {
    Raster::new(grid, (0..grid.cells()).map(|i| i as f32).collect::<Vec<_>>()).unwrap()
}

fn small() -> Raster<'static> {
    field(Grid::new([500.0, -20.0], 2.5, 4, 3).unwrap())
}

fn opened(bytes: Vec<u8>) -> Decoder<Cursor<Vec<u8>>> {
    Decoder::new(Cursor::new(bytes)).unwrap()
}

fn written(file: &GeoTiff<'_>) -> Decoder<Cursor<Vec<u8>>> {
    let mut target = Cursor::new(Vec::new());
    file.write(&mut target).unwrap();
    opened(target.into_inner())
}

fn values(decoder: &mut Decoder<Cursor<Vec<u8>>>) -> Vec<f32> {
    match decoder.read_image().unwrap() {
        DecodingResult::F32(values) => values,
        other => panic!("not floats: {other:?}"),
    }
}

#[test]
fn the_northernmost_row_comes_first() {
    let field = small();
    let mut file = written(&GeoTiff::new(&field));
    assert_eq!(file.dimensions().unwrap(), (4, 3));
    assert_eq!(values(&mut file), [8.0, 9.0, 10.0, 11.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0]);
    // 8 is Deflate.
    assert_eq!(file.get_tag_u32(Tag::Compression).unwrap(), 8);
}

#[test]
fn tags_georeference_the_cells() {
    let field = small();
    let mut file = written(&GeoTiff::new(&field).with_projected_system(25832).unwrap());
    assert_eq!(file.get_tag_f64_vec(Tag::ModelPixelScaleTag).unwrap(), [2.5, 2.5, 0.0]);
    // Three rows of 2.5 above -20.
    assert_eq!(file.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap(), [0.0, 0.0, 0.0, 500.0, -12.5, 0.0]);
    let keys = file.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap();
    assert_eq!(keys, [1, 1, 1, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 25832]);
    assert_eq!(file.get_tag_ascii_string(Tag::GdalNodata).unwrap(), "nan");

    let mut file = written(&GeoTiff::new(&field).with_geographic_system(4326).unwrap());
    let keys = file.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap();
    assert_eq!(keys, [1, 1, 1, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]);
}

#[test]
fn fields_sampled_at_corners_are_points() {
    let field = field(Grid::new([0.0, 0.0], 1.0, 4, 3).unwrap().sampled_at(Sample::Corner));
    let mut file = written(&GeoTiff::new(&field));
    assert_eq!(file.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap(), [0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    assert_eq!(file.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap(), [1, 1, 1, 1, 1025, 0, 1, 2]);
}

#[test]
fn values_that_are_not_finite_become_no_data() {
    let grid = Grid::new([0.0, 0.0], 1.0, 3, 1).unwrap();
    let field = Raster::new(grid, vec![f32::NAN, 5.0, f32::INFINITY]).unwrap();
    let mut file = written(&GeoTiff::new(&field).with_no_data(-9999.0).unwrap());
    assert_eq!(file.get_tag_ascii_string(Tag::GdalNodata).unwrap(), "-9999");
    assert_eq!(values(&mut file), [-9999.0, 5.0, -9999.0]);
    let mut plain = written(&GeoTiff::new(&field));
    let values = values(&mut plain);
    // The tag declares NaN as no data.
    assert!(values[0].is_nan() && values[1] == 5.0 && values[2].is_nan());
    for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(GeoTiff::new(&field).with_no_data(value).unwrap_err().place(), "GeoTIFF, no data");
    }
    assert_eq!(GeoTiff::new(&field).with_no_data(5.0).unwrap_err().place(), "cell (1, 0)");
}

#[test]
fn integers_are_written_as_such_and_have_no_missing_values() {
    let grid = Grid::new([0.0, 0.0], 1.0, 2, 2).unwrap();
    let integers = [0, 255, 7, 1 << 31];
    let mut bytes = written(&GeoTiff::of_integers(grid, &integers[..], false).unwrap());
    assert!(matches!(bytes.read_image().unwrap(), DecodingResult::U32(words) if words == [7, 1 << 31, 0, 255]));
    let mut small = written(&GeoTiff::of_integers(grid, &[0, 255, 7, 1], true).unwrap());
    assert!(matches!(small.read_image().unwrap(), DecodingResult::U8(bytes) if bytes == [7, 1, 0, 255]));
    assert_eq!(small.find_tag(Tag::GdalNodata).unwrap(), None);
    let place = |file: Result<GeoTiff<'_>, InputError>| file.unwrap_err().place().to_owned();
    assert_eq!(place(GeoTiff::of_integers(grid, &integers[..3], false)), "GeoTIFF, number of integers");
    let file = GeoTiff::of_integers(grid, &integers[..], false).unwrap();
    assert_eq!(place(file.with_no_data(1.0)), "GeoTIFF, no data");
}

#[test]
fn fields_of_several_strips_are_read_back_unchanged() {
    for (columns, rows) in [(700, 1200), (300_000, 3), (1, 300_001)] {
        let field = field(Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap());
        let mut file = written(&GeoTiff::new(&field));
        let values = values(&mut file);
        let northernmost = field.grid().index(0, rows - 1) as f32;
        assert_eq!((values.len(), values[0]), (field.grid().cells(), northernmost), "{columns} {rows}");
        let flipped: Vec<f32> = values.chunks(columns as usize).rev().flatten().copied().collect();
        assert_eq!(flipped, field.values());
    }
}

#[test]
fn large_fields_are_written_as_big_tiff() {
    let field = small();
    let bytes = |large: bool| {
        let mut target = Cursor::new(Vec::new());
        let file = GeoTiff::new(&field);
        if large { file.write_as::<TiffKindBig>(&mut target) } else { file.write_as::<TiffKindStandard>(&mut target) }
            .unwrap();
        target.into_inner()
    };
    // The version is in the byte order of this machine.
    assert!(bytes(false)[2..4].contains(&42) && bytes(true)[2..4].contains(&43));
    assert_eq!(values(&mut opened(bytes(true))), values(&mut opened(bytes(false))));
}

#[test]
fn codes_outside_the_standard_and_full_targets_are_errors() {
    let field = small();
    for code in [0, 1023, 32_767] {
        assert_eq!(GeoTiff::new(&field).with_projected_system(code).unwrap_err().message(), code.to_string());
        assert_eq!(GeoTiff::new(&field).with_geographic_system(code).unwrap_err().message(), code.to_string());
    }
    let mut room = [0; 50];
    let error = GeoTiff::new(&field).write(Cursor::new(room.as_mut_slice())).unwrap_err();
    assert!(error.place() == "GeoTIFF" && error.message().starts_with("not written"), "{error}");
}
