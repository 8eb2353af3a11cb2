use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn grid() -> Grid {
    Grid::new([3.0, -1.0], 0.5, 3, 2).unwrap()
}

fn file(head: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.bytes());
    bytes.extend(numbers);
    bytes
}

#[test]
fn numbers_follow_the_header_row_by_row() {
    let field = Raster::new(grid(), vec![1.0, 2.0, -0.0, f32::INFINITY, 1e-40, 6.5]).unwrap();
    let mut bytes = Vec::new();
    write_raster(&field, &mut bytes).unwrap();
    assert_eq!(bytes.len(), 128 + 24);
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
    assert_eq!(bytes[128..136], [0, 0, 128, 63, 0, 0, 0, 64]);
    let array = read(bytes.as_slice()).unwrap();
    assert_eq!((array.rows, array.columns), (2, 3));
    assert_eq!(array.into_raster(&grid()).unwrap(), field);
}

#[test]
fn integers_are_read_back_unchanged() {
    let mut bytes = Vec::new();
    write_u8(&grid(), &[0, 1, 2, 253, 254, 255], &mut bytes).unwrap();
    assert_eq!(bytes[128..], [0, 1, 2, 253, 254, 255]);
    assert_eq!(read(bytes.as_slice()).unwrap().values, Values::U8(vec![0, 1, 2, 253, 254, 255]));
    let mut bytes = Vec::new();
    write_u32(&grid(), &[0, 1, 2, 3, 1 << 20, u32::MAX], &mut bytes).unwrap();
    assert_eq!(read(bytes.as_slice()).unwrap().values, Values::U32(vec![0, 1, 2, 3, 1 << 20, u32::MAX]));
    let error = write_u8(&grid(), &[0; 7], Vec::new()).unwrap_err();
    assert_eq!((error.place(), error.message()), ("NPY, number of values", "7"));
}

#[test]
fn all_types_byte_orders_and_orders_of_rows_are_read() {
    let read_as = |descr: &str, order: &str, bytes: &[u8]| {
        let head = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3)}}");
        read(file(&head, bytes).as_slice()).unwrap().values
    };
    macro_rules! is_read {
        ($kind:literal, $number:ty, $values:expr, $kept:ident) => {
            let values: [$number; 6] = $values;
            let kept = || values.into_iter().map(Into::into).collect();
            let bytes = |value: fn($number) -> _| values.into_iter().flat_map(value).collect::<Vec<u8>>();
            let (little, big) = (bytes(<$number>::to_le_bytes), bytes(<$number>::to_be_bytes));
            assert_eq!(read_as(concat!("<", $kind), "False", &little), Values::$kept(kept()));
            assert_eq!(read_as(concat!(">", $kind), "False", &big), Values::$kept(kept()));
            // In column-major order, the second value is below the first one.
            let Values::$kept(turned) = read_as(concat!("<", $kind), "True", &little) else { panic!("another type") };
            let all: Vec<_> = kept();
            assert_eq!(turned, [0, 2, 4, 1, 3, 5].map(|i: usize| all[i]));
        };
    }
    is_read!("i1", i8, [-128, -1, 0, 1, 2, 127], I32);
    is_read!("u2", u16, [0, 1, 2, 255, 256, 65_535], I32);
    is_read!("i2", i16, [-32_768, -1, 0, 1, 256, 32_767], I32);
    is_read!("i4", i32, [i32::MIN, -1, 0, 1, 256, i32::MAX], I32);
    is_read!("u4", u32, [0, 1, 2, 3, 256, u32::MAX], U32);
    is_read!("i8", i64, [i64::MIN, -1, 0, 1, 256, i64::MAX], I64);
    is_read!("f4", f32, [-1.5, 0.0, 1.0, 2.0, 1e-40, f32::INFINITY], F32);
    is_read!("f8", f64, [-1.5, 0.0, 1.0, 2.0, 1e-300, f64::INFINITY], F64);
    is_read!("u1", u8, [0, 1, 2, 3, 254, 255], U8);
    let flags = read_as("|b1", "False", &[0, 1, 0, 0, 1, 2]);
    assert_eq!(flags, Values::Bool(vec![false, true, false, false, true, true]));
    assert_eq!(flags.differ_from_zero(), Ok(vec![false, true, false, false, true, true]));
    assert_eq!(flags.into_f32(), [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(Values::F32(vec![0.0, -0.0, 2.0]).differ_from_zero(), Ok(vec![false, false, true]));
    assert_eq!(Values::F64(vec![1.0, f64::NAN]).differ_from_zero(), Err(1));
}

#[test]
fn headers_of_versions_2_and_3_are_read() {
    let text = "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2)}\n";
    for version in [2, 3] {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.bytes());
        bytes.extend([7, 0, 0, 0, 255, 255, 255, 255]);
        let array = read(bytes.as_slice()).unwrap();
        assert_eq!((array.rows, array.columns, array.values), (1, 2, Values::I32(vec![7, -1])));
    }
}

#[test]
fn arrays_larger_than_a_chunk_are_read_back_unchanged() {
    let grid = Grid::new([0.0, 0.0], 1.0, 333, 211).unwrap();
    let field = Raster::new(grid, (0..grid.cells()).map(|i| (i as f32).sqrt()).collect::<Vec<_>>()).unwrap();
    let mut bytes = Vec::new();
    write_raster(&field, &mut bytes).unwrap();
    assert_eq!(read(bytes.as_slice()).unwrap().into_raster(&grid).unwrap(), field);
}

#[test]
fn numbers_of_64_bits_are_rounded() {
    let numbers: Vec<u8> = [0.1f64, 1e300, f64::NAN].into_iter().flat_map(f64::to_le_bytes).collect();
    let bytes = file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3)}", &numbers);
    let field = read(bytes.as_slice()).unwrap().into_raster(&Grid::new([0.0, 0.0], 1.0, 3, 1).unwrap()).unwrap();
    assert_eq!(field.values()[..2], [0.1, f32::INFINITY]);
    assert!(field.values()[2].is_nan());
}

#[test]
fn invalid_files_are_errors_with_location_and_value() {
    let shaped = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}");
    for (bytes, place, value) in [
        (b"".to_vec(), "NPY, start", "0 bytes"),
        (b"\x93NUMPY\x01".to_vec(), "NPY, start", "7 bytes"),
        (b"\x93NUMPX".to_vec(), "NPY, start", "\"\\x93NUMPX\""),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "NPY, start", "\"\\x89PNG\\r\\n\\x1a\\n\""),
        (b"\x93NUMPY\x04\x00".to_vec(), "NPY, version", "4.0"),
        (b"\x93NUMPY\x01\x01".to_vec(), "NPY, version", "1.1"),
        (b"\x93NUMPY\x02\x00\x00\x00\x00\x7f".to_vec(), "NPY, length of the header", "2130706432"),
        (b"\x93NUMPY\x01\x00\x09".to_vec(), "NPY, length of the header", "1 byte"),
        (b"\x93NUMPY\x01\x00\x09\x00{'d".to_vec(), "NPY, header", "3 bytes"),
        (file(&shaped("(2, 3)"), &[0; 23]), "NPY, numbers", "5"),
        (file(&shaped("(2, 3)"), &[0; 25]), "NPY, end", "more bytes"),
        (file(&shaped("(40000, 40000)"), &[0; 8]), "NPY, numbers", "2"),
        (file(&shaped("(6,)"), &[0; 24]), "NPY, shape", "(6)"),
        (file(&shaped("(1, 2, 3)"), &[0; 24]), "NPY, shape", "(1, 2, 3)"),
        (file(&shaped("(0, 3)"), &[]), "NPY, shape", "(0, 3)"),
        (file(&shaped("(65536, 65536)"), &[]), "NPY, shape", "(65536, 65536)"),
        (file(&shaped("(9999999999, 1)"), &[]), "NPY, shape", "(9999999999, 1)"),
        // With four bytes per value, the size does not fit into 64 bits.
        (file(&shaped("(4294967295, 4294967295)"), &[]), "NPY, shape", "(4294967295, 4294967295)"),
        (file("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}", &[0; 8]), "NPY, type of the numbers", "<c8"),
        (file("{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1)}", &[0; 8]), "NPY, type of the numbers", "<u8"),
        (file("{'descr': 'f4', 'fortran_order': False, 'shape': (1, 1)}", &[0; 4]), "NPY, type of the numbers", "f4"),
    ] {
        let error = read(bytes.as_slice()).unwrap_err();
        assert_eq!((error.place(), error.message()), (place, value));
    }
    assert_eq!(read(&file("{'descr': '\u{e9}'", &[])[..21]).unwrap_err().place(), "NPY, header");
    let array = Array { rows: 3, columns: 2, values: Values::U8(vec![0; 6]) };
    assert_eq!(array.into_raster(&grid()).unwrap_err().message(), "3 rows x 2 columns");
}

proptest! {
    #[test]
    fn files_with_wrong_bytes_are_arrays_or_errors(at in 0usize..152, bytes in vec(any::<u8>(), 1..6), cut in 0usize..153) {
        let mut file = Vec::new();
        write_raster(Raster::new(grid(), vec![1.0; 6]).unwrap(), &mut file).unwrap();
        for (i, byte) in bytes.into_iter().enumerate().filter(|(i, _)| at + i < 152) {
            file[at + i] = byte;
        }
        // A complete file may still be valid: with other values, or with its 24 bytes as another type and shape.
        if let Ok(array) = read(&file[..cut]) {
            prop_assert!(cut == 152 && u64::from(array.rows) * u64::from(array.columns) <= 24);
        }
    }
}

#[test]
fn a_full_target_is_an_error() {
    let error = write_u8(&grid(), &[0; 6], [0u8; 130].as_mut_slice()).unwrap_err();
    assert!(error.place() == "NPY" && error.message().starts_with("not written"), "{error}");
}
