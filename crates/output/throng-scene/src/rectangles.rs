//! Covers cells with a small number of rectangles.

/// Disjoint rectangles that cover exactly the `covered` cells of a grid, as first column, first row, number of columns,
/// number of rows. Runs of cells in a row are merged with equal runs in the preceding rows.
///
/// ```
/// // All cells of the first row, and the last one of the second.
/// let found = throng_scene::rectangles_of_cells(3, 2, |column, row| row == 0 || column == 2);
/// assert_eq!(found, [[0, 0, 3, 1], [2, 1, 1, 1]]);
/// ```
pub fn rectangles_of_cells(columns: u32, rows: u32, covered: impl Fn(u32, u32) -> bool) -> Vec<[u32; 4]> {
    let mut complete = Vec::new();
    let mut open: Vec<[u32; 4]> = Vec::new();
    for row in 0..rows {
        let mut runs = Vec::new();
        let mut column = 0;
        while column < columns {
            let first = column;
            while column < columns && covered(column, row) {
                column += 1;
            }
            if column > first {
                runs.push([first, row, column - first, 1]);
            }
            column += 1;
        }
        for [first, start, wide, high] in open {
            match runs.iter_mut().find(|run| run[0] == first && run[2] == wide) {
                Some(run) => *run = [first, start, wide, high + 1],
                None => complete.push([first, start, wide, high]),
            }
        }
        open = runs;
    }
    complete.extend(open);
    complete
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_map(map: [&str; 4]) -> Vec<[u32; 4]> {
        rectangles_of_cells(5, 4, |column, row| map[row as usize].as_bytes()[column as usize] == b'#')
    }

    #[test]
    fn rectangles_match_examples() {
        // Starts with the lowest row.
        let found = of_map(["##..#", "##..#", ".###.", "....#"]);
        assert_eq!(found, [[0, 0, 2, 2], [4, 0, 1, 2], [1, 2, 3, 1], [4, 3, 1, 1]]);
        assert_eq!(rectangles_of_cells(3, 2, |_, _| false), [[0; 4]; 0]);
        assert_eq!(rectangles_of_cells(3, 2, |_, _| true), [[0, 0, 3, 2]]);
    }

    #[test]
    fn walls_are_merged_into_few_rectangles() {
        let mut found = of_map(["#####", "#...#", "#.#.#", "#####"]);
        found.sort_unstable();
        let mut expected = vec![[0, 0, 5, 1], [2, 2, 1, 1], [0, 1, 1, 2], [4, 1, 1, 2], [0, 3, 5, 1]];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
