use tempfile::TempDir;

use super::*;

/// Reads a map in a file, and returns it with the text of its problems.
fn read(dir: &TempDir, name: &str, content: &[u8]) -> (Option<Map>, String) {
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    let mut problems = Problems::new();
    let map = Map::read(&path, RosDistro::default(), &mut problems);
    let text = problems.into_result().map_err(|error| error.to_string()).err().unwrap_or_default();
    (map, text.replace(&format!("{}/", dir.path().display()), ""))
}

fn costs(dir: &TempDir, name: &str, content: &[u8]) -> (u32, u32, Vec<u8>) {
    let (map, text) = read(dir, name, content);
    let map = map.unwrap_or_else(|| panic!("{text}"));
    (map.columns, map.rows, map.costs)
}

/// An NPY file with this header and these bytes of values.
fn npy(descr: &str, order: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}}}");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((head.len() as u16).to_le_bytes());
    file.extend(head.bytes());
    file.extend(bytes);
    file
}

const ROBOT: &str =
    "image: a.pgm\nresolution: 0.05\norigin: [-1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.19\n";

#[test]
fn walls_are_equal_in_all_formats() {
    let dir = TempDir::new().unwrap();
    // One wall at the right of the upper row, one at the left of the lower row.
    let expected = (3, 2, vec![254, 0, 0, 0, 0, 254]);
    assert_eq!(costs(&dir, "a.txt", b"..#\n#\n"), expected);
    assert_eq!(costs(&dir, "a", b"  #\n#..\n"), expected);
    assert_eq!(costs(&dir, "a.pgm", b"P5 3 2 255 \xff\x80\x7f\x00\xff\xff"), expected);
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 3, 2);
    encoder.set_color(png::ColorType::Rgba);
    let [white, black, clear] = [[255; 4], [0, 0, 0, 255], [0, 0, 0, 0]];
    let pixels = [clear, white, black, [200, 100, 83, 255], white, [200, 100, 84, 127]].concat();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    assert_eq!(costs(&dir, "a.PNG", &png), expected);
    // The first row of an array is the lowest one.
    assert_eq!(costs(&dir, "a.npy", &npy("|b1", "False", "(2, 3)", &[1, 0, 0, 0, 0, 1])), expected);
    assert_eq!(costs(&dir, "a.npy", &npy(">i2", "False", "(2, 3)", &[0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0])), expected);
    assert_eq!(costs(&dir, "a.npy", &npy("|u1", "True", "(2, 3)", &[1, 0, 0, 0, 0, 1])), expected);
}

#[test]
fn unusable_files_are_reported_with_place_value_and_remedy() {
    let dir = TempDir::new().unwrap();
    let text = |name: &str, content: &[u8]| read(&dir, name, content).1;
    assert!(text("a.txt", b"#..\n.x.\n").contains("a.txt:2, column 2: \"x\"\n    expected # for a wall"));
    assert!(
        text("a.txt", b"\xff\xfe\x00")
            .contains("a.txt: cannot be read: stream did not contain valid UTF-8\n    expected a map in text, PNG")
    );
    assert!(text("a.txt", b"P5\x00..").contains("a.txt: is not text\n    expected a map in text, PNG (.png), PGM"));
    assert!(text("a.JPG", b"\xff\xd8").contains("a.JPG: the format jpg\n    expected a map in text, PNG (.png), PGM"));
    assert!(text("a.png", b"#..").contains("a.png, image, start: \"#..\"\n    expected a PNG"));
    assert!(text("a.npy", &npy("<f4", "False", "(3,)", &[0; 12])).contains("a.npy, NPY, shape: (3)"));
    let nan = npy("<f4", "False", "(1, 2)", &[0, 0, 0, 0, 0, 0, 0xc0, 0x7f]);
    assert!(text("a.npy", &nan).contains("a.npy, row 0, column 1: NaN\n    expected 0 for open ground"));
    let keys = text("a.yaml", ROBOT.replace("0.05", "five").as_bytes());
    assert!(keys.contains("a.yaml, line 2, resolution: \"five\"\n    expected a finite number"), "{keys}");
    let image = text("a.yaml", ROBOT.as_bytes());
    assert!(image.contains("a.pgm: cannot be read: No such file") && image.contains("check image of "), "{image}");
}

#[test]
fn robot_maps_have_size_cell_and_origin() {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("a.pgm"), b"P5 4 2 255 \xfe\xfe\xcd\x00\x00\xfe\xfe\xfe").unwrap();
    let map = read(&dir, "a.yaml", ROBOT.as_bytes()).0.unwrap();
    assert_eq!((&map.costs, map.inputs.len(), map.place.is_some()), (&vec![254, 0, 0, 0, 0, 0, 255, 254], 2, true));
    let complete = |text: &str| {
        let (value, place) = (toml::from_str::<GridTable>(text).unwrap(), "grid".to_owned());
        let (mut grid, mut problems) = (At { value, place }, Problems::new());
        map.complete(&mut grid, &mut problems);
        let text = problems.into_result().map_err(|error| error.to_string()).err().unwrap_or_default();
        (grid.value.size, grid.value.cell, grid.value.origin, text)
    };
    let expected = (Some([0.2, 0.1]), Some(0.05), Some([-1.0, 2.0]), String::new());
    assert_eq!(complete(""), expected);
    assert_eq!(complete("size = [0.2, 0.1]\ncell = 0.05\norigin = [-1, 2]"), expected);
    let (.., text) = complete("size = [0.2, 0.2]\ncell = 0.1\norigin = [0, 2]");
    for part in ["grid, cell: 0.1\n", "has 0.05: leave", "grid, size: [0.2, 0.2]\n", "grid, origin: [0.0, 2.0]\n"] {
        assert!(text.contains(part), "{text}");
    }
    let grid = Grid::new([-1.0, 2.0], 0.05, 4, 2).unwrap();
    let mut problems = Problems::new();
    let costs = map.costs_on(&grid, &mut problems).unwrap();
    let open = |unknown| open_cells(&grid, &costs, unknown).cells().count();
    assert_eq!((open(false), open(true)), (5, 6));
    // Blocks of 2 x 3 cells, and a grid that they do not cover.
    let finer = map.costs_on(&Grid::new([0.0; 2], 1.0, 8, 6).unwrap(), &mut problems).unwrap();
    assert_eq!((finer.len(), finer[0], finer[17], finer[2], finer[47]), (48, 254, 254, 0, 254));
    assert!(problems.is_empty() && map.costs_on(&Grid::new([0.0; 2], 1.0, 6, 2).unwrap(), &mut problems).is_none());
}
