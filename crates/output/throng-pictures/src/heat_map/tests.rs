use super::*;
use crate::Grid;
use crate::colours::WALL;
use crate::picture::Area;

fn field(columns: u32, rows: u32, value: impl Fn(u32, u32) -> f32) -> Raster<'static> {
    let grid = Grid::new([100.0, -20.0], 2.0, columns, rows).unwrap();
    let values = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    Raster::new(grid, values.map(|(column, row)| value(column, row)).collect::<Vec<_>>()).unwrap()
}

/// Returns the pixel at a world position; the map of `field` starts at the inner edge of its frame.
fn at(map: &HeatMap<'_>, picture: &Picture, point: [f64; 2]) -> [u8; 3] {
    let grid = map.field.grid();
    let size = map.scale.size(grid);
    // Columns of the image from the left that contain ink are ticks or the frame; the frame is the first one as high as
    // the map.
    let ink = |x: u32| (0..picture.height()).filter(|&y| picture.pixel(x, y) == Some(INK)).count() as u64;
    let left = (0..picture.width()).find(|&x| ink(x) >= size[1] + 2).unwrap() + 1;
    let dark = |y: u32| (left..left + size[0] as u32).all(|x| picture.pixel(x, y) == Some(INK));
    let top = (0..picture.height()).find(|&y| dark(y)).unwrap() + 1;
    let area = Area { left: i64::from(left), top: i64::from(top), width: size[0] as i64, height: size[1] as i64 };
    let [x, y] = Overlay { grid, scale: map.scale, map: area }.place(point);
    picture.pixel(x.floor() as u32, y.floor() as u32).unwrap()
}

#[test]
fn cells_are_at_world_coordinates_with_y_upwards() {
    let field = field(20, 10, |column, row| column as f32 + 100.0 * row as f32);
    let map = HeatMap::new(&field).with_title("Orientation").with_unit("s").with_length_unit("m");
    let picture = map.draw().unwrap();
    let range = ValueRange::of(field.values()).unwrap();
    for (column, row) in [(0, 0), (19, 0), (0, 9), (19, 9), (7, 3)] {
        let value = field.at(column, row).unwrap();
        let expected = ColourMap::Viridis.colour(value, range);
        assert_eq!(at(&map, &picture, field.grid().point(column, row)), expected, "{column} {row}");
    }
}

#[test]
fn both_signs_choose_the_diverging_map_and_settings_override_it() {
    let field = field(8, 8, |column, _| column as f32 - 3.0);
    let shown = |map: HeatMap<'_>| at(&map, &map.draw().unwrap(), field.grid().point(7, 0));
    let own = ValueRange::new(-3.0, 4.0).unwrap();
    assert_eq!(shown(HeatMap::new(&field)), ColourMap::BlueOrange.colour(4.0, own));
    let grey = HeatMap::new(&field).with_colours(ColourMap::Grey);
    assert_eq!(shown(grey), ColourMap::Grey.colour(4.0, own));
    let wide = ValueRange::new(-8.0, 8.0).unwrap();
    assert_eq!(shown(HeatMap::new(&field).with_range(wide)), ColourMap::BlueOrange.colour(4.0, wide));
    let one_sign = ValueRange::new(0.0, 4.0).unwrap();
    let map = HeatMap::new(&field).with_range(one_sign).with_colours(ColourMap::RedBlue);
    assert_eq!(shown(map), ColourMap::Viridis.colour(4.0, one_sign));
}

#[test]
fn walls_paths_and_points_lie_over_the_field_in_this_order() {
    let field = field(40, 30, |_, _| 1.0);
    let open = Mask::new(field.grid(), |column, _| column != 10);
    let map = HeatMap::new(&field)
        .with_open_cells(&open)
        .with_path([[110.0, 10.0], [150.0, 10.0], [150.0, 30.0]], 1)
        .with_points([([130.0, 10.0], 2), ([5000.0, 10.0], 3)]);
    let picture = map.draw().unwrap();
    assert_eq!(at(&map, &picture, [121.0, 30.0]), WALL);
    assert_eq!(at(&map, &picture, [121.0, 10.0]), Colour::BLUE.rgb());
    assert_eq!(at(&map, &picture, [150.0, 20.0]), Colour::BLUE.rgb());
    assert_eq!(at(&map, &picture, [130.0, 10.0]), Colour::GREEN.rgb());
    let constant = ColourMap::Viridis.colour(1.0, ValueRange::of(field.values()).unwrap());
    assert_eq!(at(&map, &picture, [140.0, 20.0]), constant);
}

#[test]
fn densities_cover_hatching_and_marks_cover_densities() {
    let field = field(40, 30, |_, _| 1.0);
    let hatched = Mask::new(field.grid(), |column, _| column < 20);
    // Cells are 30 pixels and two units wide, so that each cell is a block.
    let crowd = [[131.0, 11.0], [131.5, 10.5], [131.0, 10.5], [151.0, 11.0]];
    let map = HeatMap::new(&field)
        .with_hatched_cells(&hatched, "goal")
        .with_density(crowd, "agents")
        .with_length_unit("m")
        .with_point([151.0, 11.0], Mark::square(Colour::RED));
    let picture = map.draw().unwrap();
    let crowd = Crowd { points: crowd.to_vec(), what: "agents".to_owned(), ..Crowd::default() };
    let crowding = DensityBlocks::new(field.grid(), map.scale, &crowd);
    let class = |number: usize| crowding.entries()[number].1;
    assert_eq!(at(&map, &picture, [131.0, 11.0]), class(1));
    assert_eq!([at(&map, &picture, [151.0, 11.0]), at(&map, &picture, [150.2, 10.2])], [Colour::RED.rgb(), class(0)]);
    let around = (0..30).map(|i| at(&map, &picture, [110.0 + f64::from(i) * 0.06, 20.0]));
    assert!(around.clone().any(|colour| colour == INK) && around.clone().any(|colour| colour == [255; 3]));
    let texts = map.entries(Some(&crowding));
    assert_eq!(texts[0], Entry::Heading("agents in 2 x 2 m".to_owned()));
    assert_eq!((texts.len(), &texts[7]), (8, &Entry::Hatched(INK, "goal".to_owned())));
}

#[test]
fn fields_without_values_and_of_one_value_are_drawn() {
    for value in [f32::NAN, f32::INFINITY, 0.0, -1e30, f32::MAX] {
        for (columns, rows) in [(1, 1), (1, 700), (700, 1), (3, 2)] {
            let field = field(columns, rows, |_, _| value);
            let picture = HeatMap::new(&field).with_title("T").with_unit("m").draw().unwrap();
            assert!(picture.width().max(picture.height()) > 700, "{value} {columns} {rows}");
        }
    }
}

#[test]
fn gaps_do_not_change_the_size_of_the_picture() {
    let range = ValueRange::new(0.0, 1.0).unwrap();
    let size = |value| {
        let field = field(30, 20, |column, _| if column == 3 { value } else { 0.5 });
        let picture = HeatMap::new(&field).with_range(range).draw().unwrap();
        (picture.width(), picture.height())
    };
    assert_eq!(size(0.7), size(f32::NAN));
}

#[test]
fn invalid_inputs_are_errors_with_location() {
    let field = field(40, 30, |_, _| 1.0);
    let place = |map: HeatMap<'_>| map.draw().unwrap_err().place().to_owned();
    assert_eq!(place(HeatMap::new(&field).with_scale(Scale::PixelsPerCell(0))), "scale, pixels per cell");
    assert_eq!(place(HeatMap::new(&field).with_scale(Scale::PixelsPerCell(300))), "picture, size");
    assert_eq!(place(HeatMap::new(&field).with_scale(Scale::PixelsPerCell(u32::MAX))), "picture, size");
    assert_eq!(place(HeatMap::new(&field).with_points([([0.0; 2], 0), ([0.0, f32::NAN], 0)])), "point 1, y");
    assert_eq!(place(HeatMap::new(&field).with_path([[f32::INFINITY, 0.0]], 0)), "path 0, point 0, x");
    let other = Mask::new(&Grid::new([0.0, 0.0], 1.0, 3, 3).unwrap(), |_, _| true);
    assert_eq!(place(HeatMap::new(&field).with_open_cells(&other)), "mask, size");
    assert_eq!(place(HeatMap::new(&field).with_hatched_cells(&other, "")), "mask, size");
    assert_eq!(place(HeatMap::new(&field).with_density([[f64::NAN, 0.0]], "")), "point 0, x");
    assert!(HeatMap::new(&field).with_scale(Scale::CellsPerPixel(u32::MAX)).draw().is_ok());
}

#[test]
fn owners_colour_their_cells_and_hatching() {
    let field = field(20, 10, |column, _| column as f32);
    let names = [("us", Colour::RED), ("them", Colour::BLUE)].map(|(name, colour)| (name.to_owned(), colour));
    let of_cells = (0..200).map(|cell| Some(u8::from(cell % 20 >= 10))).collect();
    let map = HeatMap::new(&field).with_owners(Owners::new(names.to_vec(), of_cells));
    let picture = map.draw().unwrap();
    let shown = |column: u32| at(&map, &picture, field.grid().point(column, 4));
    assert_eq!(shown(19), Colour::BLUE.rgb());
    let [[red, _, blue], [other_red, _, other_blue]] = [0, 10].map(shown);
    assert!(red > blue && other_blue > other_red, "{red} {blue} {other_red} {other_blue}");
    // The legend contains the names.
    assert!(picture.bytes().chunks(3).any(|pixel| pixel == Colour::RED.rgb()));

    let goal = Mask::new(field.grid(), |column, row| (column, row) == (3, 3));
    let plain = HeatMap::new(&field).with_hatched_cells(&goal, "goal");
    let own = plain.clone().with_cells_hatched_in(&goal, Colour::GREEN);
    let greens =
        |map: &HeatMap<'_>| map.draw().unwrap().bytes().chunks(3).filter(|pixel| *pixel == Colour::GREEN.rgb()).count();
    assert!(greens(&plain) == 0 && greens(&own) > 0);
    assert!(greens(&plain.with_hatching_entry("goal of us", Colour::GREEN)) > 0);
}

#[test]
fn the_legend_shows_that_values_are_beyond_the_range() {
    let range = ValueRange::new(-2.0, 5.0).unwrap();
    let of = |low: f32, high: f32| field(20, 10, move |column, _| (column as f32 - 5.0).clamp(low, high));
    let drawn = |field: &Raster<'_>| HeatMap::new(field).with_range(range).draw().unwrap();
    let within = drawn(&of(-2.0, 5.0));
    // All images show the same colours in their cells, because values beyond the range have those of its ends.
    let pictures = [(-3.0, 5.0), (-2.0, 6.0), (-3.0, 6.0)].map(|(low, high)| drawn(&of(low, high)));
    assert!(pictures.iter().all(|picture| *picture != within));
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
    let size = |picture: &Picture| [picture.width(), picture.height()];
    assert!(pictures.iter().all(|picture| size(picture) == size(&within)));
}

#[test]
fn gaps_may_have_another_name() {
    let field = field(8, 8, |column, _| if column == 3 { f32::NAN } else { 1.0 });
    let map = HeatMap::new(&field);
    assert_ne!(map.clone().with_gaps("unknown").draw().unwrap(), map.draw().unwrap());
}
