//! Arrays with a bit per layer and cell: `quantity = "bits"`.

use std::fs;
use std::path::Path;

use parquet::file::reader::SerializedFileReader;
use parquet::record::Field;
use tempfile::TempDir;
use throng_fields_model::Scenario;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::Tag;

use super::arrays::{run_in, with};
use super::{changed, saved};

/// Two entities at both ends of the lower of two rows, each in its own layer.
const TWO: &str = r#"
model = "fields"
layers = ["near", "far"]
grid = { size = [6, 2], cell = 1 }
run = { steps = 1, time_step = 1 }
profiles.p = { form = "linear", radius = 4 }
entities = [
    { at = [0.5, 0.5], profile = "p", layers = ["near"] },
    { at = [5.5, 0.5], profile = "p", layers = ["far"] },
]

[output]
frame_every = 0
first_and_last = false
npy = false
agents_every = 0

[[output.arrays]]
quantity = "bits"
thresholds = { near = 0.5, far = 0.25 }

[[output.arrays]]
quantity = "bits"
thresholds = { near = 0.5, far = 0.25 }
format = "geotiff"

[[output.arrays]]
quantity = "bits"
thresholds = { near = 0.5, far = 0.25 }
format = "parquet"
cells = { from = [1, 0], to = [2, 1] }
"#;

/// The first layer is at least 0.5 up to a distance of 2, the second one at least 0.25 up to 3 from the other end; in
/// the upper row, that is up to 1 and 2 columns away.
const EXPECTED: [u32; 12] = [1, 1, 3, 2, 2, 2, 1, 1, 0, 2, 2, 2];

fn read(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    (String::from_utf8_lossy(&bytes[10..128]).into_owned(), bytes[128..].to_vec())
}

fn decoder(path: &Path) -> Decoder<fs::File> {
    Decoder::new(fs::File::open(path).unwrap()).unwrap()
}

/// The values of a Parquet file, in the order of the rows.
fn values(path: &Path) -> Vec<Field> {
    let rows = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap().into_iter();
    rows.map(|row| row.unwrap().get_column_iter().last().unwrap().1.clone()).collect()
}

#[test]
fn up_to_eight_layers_are_bits_of_bytes() {
    let dir = TempDir::new().unwrap();
    run_in(&dir, TWO, 1, None).unwrap();
    let out = |name: &str| dir.path().join("out").join(name);
    let bytes = EXPECTED.map(|bits| bits as u8);
    let (head, found) = read(&out("bits.npy"));
    assert!(head.contains("'|u1'") && head.contains("(1, 2, 6)"), "{head}");
    assert_eq!(found, bytes);
    let about: serde_json::Value = serde_json::from_slice(&fs::read(out("bits.json")).unwrap()).unwrap();
    assert_eq!(about["quantity"], "bits");
    let bits = serde_json::json!([
        { "bit": 0, "layer": "near", "threshold": 0.5 },
        { "bit": 1, "layer": "far", "threshold": 0.25 },
    ]);
    assert_eq!(about["bits"], bits);
    // From north to south.
    let mut image = decoder(&out("bits.tif"));
    let expected = [&bytes[6..], &bytes[..6]].concat();
    assert!(matches!(image.read_image().unwrap(), DecodingResult::U8(bytes) if bytes == expected));
    assert_eq!(image.find_tag(Tag::GdalNodata).unwrap(), None);
    assert_eq!(values(&out("bits.parquet")), [1, 3, 1, 0].map(Field::UByte));
}

#[test]
fn more_layers_are_bits_of_words_and_layers_without_a_threshold_are_0() {
    let dir = TempDir::new().unwrap();
    // The first layer is now the ninth, and the second one the fourth.
    let layers = "layers = [\"a\", \"b\", \"c\", \"far\", \"d\", \"e\", \"f\", \"g\", \"near\"]";
    run_in(&dir, &changed(TWO, &[("layers = [\"near\", \"far\"]", layers)]), 1, None).unwrap();
    let out = |name: &str| dir.path().join("out").join(name);
    let expected = EXPECTED.map(|bits| (bits & 1) << 8 | (bits >> 1) << 3);
    let (head, found) = read(&out("bits.npy"));
    assert!(head.contains("'<u4'"), "{head}");
    let words: Vec<u32> = found.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    assert_eq!(words, expected);
    let rows = [&expected[6..], &expected[..6]].concat();
    let mut image = decoder(&out("bits.tif"));
    assert!(matches!(image.read_image().unwrap(), DecodingResult::U32(words) if words == rows));
    assert_eq!(values(&out("bits.parquet")), [1, 2, 7, 8].map(|cell| Field::UInt(expected[cell])));
    let only_near = ("{ near = 0.5, far = 0.25 }", "{ near = 0.5 }");
    run_in(&dir, &changed(TWO, &[only_near]), 2, None).unwrap();
    assert_eq!(read(&out("bits.npy")).1, EXPECTED.map(|bits| (bits & 1) as u8));
}

#[test]
fn problems_of_bits_have_place_value_and_remedy() {
    let first = "thresholds = { near = 0.5, far = 0.25 }";
    let query = "[[output.queries]]\nquantity = \"bits\"\nbest = 1";
    for (to, expected) in [
        ("", "output.arrays 1: thresholds is missing\n    quantity = \"bits\" needs it"),
        ("thresholds = {}", "output.arrays 1, thresholds: {}\n    expected the threshold of at least one layer"),
        ("thresholds = { fa = 1 }", "output.arrays 1, thresholds: there is no layer \"fa\"\n    did you mean \"far\"?"),
        ("thresholds = { far = nan }", "output.arrays 1, thresholds, far: NaN\n    expected a finite number"),
        (&format!("{first}\nlayer = \"far\""), "output.arrays 1: layer is given\n    quantity = \"bits\" has no layer"),
        (&format!("{first}\nteam = \"far\""), "output.arrays 1: team is given"),
        (
            &format!("{first}\n[[output.arrays]]\nquantity = \"combined\"\n{first}"),
            "output.arrays 2: thresholds is given\n    quantity = \"combined\" has no thresholds",
        ),
        (
            &format!("{first}\n{query}"),
            "output.queries 1, quantity: \"bits\"\n    bits have neither a best cell nor a slope",
        ),
    ] {
        let dir = TempDir::new().unwrap();
        let text = with(&changed(TWO, &[(first, to)]), "");
        let found = Scenario::read(&saved(&dir, &text), &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{to}: {found}");
    }
}
