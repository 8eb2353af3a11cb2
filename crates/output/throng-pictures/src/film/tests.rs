use std::io::Cursor;

use super::*;
use crate::picture::Area;

/// Returns an image of a square that moves over a ground with many colours.
fn picture(number: u32, [width, height]: [u32; 2]) -> Picture {
    let mut picture = Picture::new(u64::from(width), u64::from(height)).unwrap();
    for y in 0..i64::from(height) {
        picture.fill(Area { left: 0, top: y, width: i64::from(width), height: 1 }, [(y % 90) as u8, 200, 90]);
    }
    picture.fill(Area { left: i64::from(number), top: 2, width: 3, height: 3 }, [200, 0, 0]);
    picture
}

/// Plays the frames of a file as a viewer does: returns each image, and its display time in milliseconds.
fn shown(film: &Film, delay: u16) -> Vec<(Vec<[u8; 3]>, u32)> {
    let mut bytes = Vec::new();
    film.write(&mut bytes, delay).unwrap();
    assert!(bytes.len() as u64 <= film.bytes as u64, "{} {}", bytes.len(), film.bytes);
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut file = decoder.read_info().unwrap();
    let control = file.info().animation_control.unwrap();
    assert_eq!((control.num_frames as usize, control.num_plays), (film.kept.len(), 0));
    let [width, height] = film.size().map(|side| side as usize);
    let mut canvas = vec![[0; 3]; width * height];
    let mut frames = Vec::new();
    for _ in 0..control.num_frames {
        let mut pixels = vec![0; file.output_buffer_size().unwrap()];
        file.next_frame(&mut pixels).unwrap();
        let frame = *file.info().frame_control().unwrap();
        for (i, pixel) in pixels.as_chunks::<4>().0.iter().take((frame.width * frame.height) as usize).enumerate() {
            let (x, y) = (
                frame.x_offset as usize + i % frame.width as usize,
                frame.y_offset as usize + i / frame.width as usize,
            );
            if pixel[3] == 255 {
                canvas[y * width + x] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        frames.push((canvas.clone(), u32::from(frame.delay_num) * 1000 / u32::from(frame.delay_den)));
    }
    assert!(file.next_frame(&mut vec![0; width * height * 4]).is_err());
    frames
}

#[test]
fn all_frames_are_decoded_as_drawn() {
    let size = [40, 30];
    let mut film = Film::new(5, LIMIT);
    for number in [0, 1, 1, 7, 3] {
        film.add(&picture(number, size)).unwrap();
    }
    let frames = shown(&film, 150);
    for ((frame, time), number) in frames.iter().zip([0, 1, 1, 7, 3]) {
        assert_eq!((frame.as_flattened(), *time), (picture(number, size).bytes(), 150), "frame {number}");
    }
    let kept = AnimationStats { frames: 5, of: 5, halvings: 0, is_exact: true, limit: LIMIT };
    assert_eq!((film.kept(), frames.len()), (kept, 5));
    // The second frame moves a square by a pixel; the third frame changes nothing.
    assert_eq!([film.kept[1].size, film.kept[2].size], [[4, 3], [1, 1]]);
    // The parts for pages give the same frames.
    let parts = film.parts().unwrap();
    assert!(parts.iter().all(|part| part.png[1] == parts[0].png[1] && part.frames == 1));
}

#[test]
fn excess_frames_are_omitted_and_the_others_are_shown_longer() {
    let size = [300, 9];
    let film_of = |limit| {
        let mut film = Film::new(290, limit);
        for number in 0..290 {
            if film.wants_next() {
                film.add(&picture(number, size)).unwrap();
            } else {
                film.skip();
            }
        }
        film
    };
    let whole = film_of(LIMIT);
    let film = film_of(whole.bytes as u64 / 3);
    assert!((film.stride, film.halvings) == (4, 0) && film.bytes as u64 <= film.limit, "{:?}", film.kept());
    let frames = shown(&film, 100);
    // 0, 4, ..., 288, and the last one, 289.
    assert_eq!((frames.len(), film.kept().of), (74, 290));
    assert_eq!(frames.iter().map(|frame| frame.1).sum::<u32>(), 29_000);
    assert_eq!([frames[0].1, frames[72].1, frames[73].1], [400, 100, 100]);
    for (frame, number) in [(0, 0), (20, 80), (73, 289)] {
        assert_eq!(frames[frame].0.as_flattened(), picture(number, size).bytes(), "{number}");
    }
}

#[test]
fn few_large_frames_are_halved_in_size() {
    let size = [900, 801];
    let mut film = Film::new(4, LIMIT);
    film.add(&picture(0, size)).unwrap();
    let one = film.bytes as u64;
    let mut film = Film::new(4, one - 1);
    for number in 0..4 {
        film.add(&picture(8 * number, size)).unwrap();
    }
    assert_eq!((film.kept().halvings, film.size(), film.kept().frames), (1, [450, 401], 4));
    let frames = shown(&film, 10);
    // A pixel of the square, at 24, and a pixel that covers two rows of the ground.
    let pixel = |x: usize, y: usize| frames[3].0[y * 450 + x];
    assert_eq!(pixel(12, 1), [200, 0, 0]);
    assert!(pixel(300, 200)[0].abs_diff((400 % 90) as u8) <= 4, "{:?}", pixel(300, 200));
    // A limit below two small frames cannot be met.
    let mut tiny = Film::new(4, 10);
    for number in 0..4 {
        tiny.add(&picture(number, size)).unwrap();
    }
    assert_eq!((tiny.size(), tiny.kept().frames), ([450, 401], 2));
    assert_eq!(shown(&tiny, 10)[1].0.len(), 450 * 401);
}

#[test]
fn times_fit_into_16_bit_fractions() {
    assert_eq!([seconds(150), seconds(65_535), seconds(65_536)], [[150, 1000], [65_535, 1000], [6553, 100]]);
    assert_eq!([seconds(65_535_000), seconds(u64::from(u32::MAX))], [[65_535, 1], [u16::MAX, 1]]);
}
