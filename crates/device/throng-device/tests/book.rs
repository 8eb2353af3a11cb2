//! The code of the book's chapters on kernels: it compiles, runs, and equals the code in the book.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_core::Philox;
use throng_device::loops::are_cut;
use throng_device::{Device, DeviceChoice, DeviceError, DeviceId, DeviceInfo, KernelText, inventory, open};
use throng_testing::{repository, skip_backend};
use throng_testing_devices::{devices, with_f64};

// In the book: imports.
use throng_device::prelude::*;
// Up to here.

// In the book: scale.
#[cube]
fn scaled(value: u32, factor: u32) -> u32 {
    exact::low_product(value, factor)
}

#[kernel("scale")]
fn scale(values: &mut Array<u32>, factor: u32) {
    if ABSOLUTE_POS < values.len() {
        values[ABSOLUTE_POS] = scaled(values[ABSOLUTE_POS], factor);
    }
}
// Up to here.

// In the book: same_on_devices.
throng_testing_devices::same_on_devices!(fn products(a: u32, b: u32) -> u32 { scaled(a, b) } for (0..999).map(|i| (i << 22, i)));
// Up to here.

#[test]
fn a_kernel_is_called_like_a_function() {
    for device in devices() {
        call(device).unwrap();
    }
}

fn call(device: &Device) -> Result<(), DeviceError> {
    // In the book: call.
    let values = device.upload("values", &[1, 2, 3])?;
    launch_scale(device, values.len(), &values, 5)?;
    launch_scale(device, values.len(), &values, 2)?;
    assert_eq!(device.read(&values)?, [10, 20, 30]);
    // Up to here.
    Ok(())
}

// In the book: choice.
/// Returns a device if there is one that the user accepts.
fn chosen(choice: DeviceChoice) -> Result<Option<Device>, DeviceError> {
    let all = inventory();
    match choice {
        DeviceChoice::Cpu => Ok(None),
        DeviceChoice::Auto => all.devices.first().map(DeviceInfo::open).transpose(),
        DeviceChoice::Device(id) => throng_device::open(id).map(Some),
    }
}
// Up to here.

#[test]
fn missing_devices_are_explained() {
    assert!(chosen(DeviceChoice::Cpu).unwrap().is_none());
    assert_eq!(chosen(DeviceChoice::Auto).unwrap().is_none(), inventory().devices.is_empty());
    // In the book: reasons.
    let error = chosen("cuda:99".parse().expect("a device id")).unwrap_err();
    println!("{error}; {}", error.remedy());
    for missing in inventory().missing {
        println!("{}: {}", missing.backend.name(), missing.reason);
    }
    // Up to here.
    assert!(error.to_string().starts_with("there is no device cuda:99: "), "{error}");
}

#[test]
fn transfers_and_launches_are_counted() {
    for info in inventory().devices {
        let mut device = info.open().unwrap();
        count(&mut device).unwrap();
    }
}

fn count(device: &mut Device) -> Result<(), DeviceError> {
    // In the book: counts.
    let values = device.upload("values", &vec![1u32; 1000])?;
    for _ in 0..50 {
        launch_scale(device, values.len(), &values, 3)?;
    }
    let first = device.read_first(&values, 1)?.wait()?;
    let ledger = device.ledger();
    assert_eq!(first, [3u32.wrapping_pow(50)]);
    assert_eq!((ledger.uploaded_bytes, ledger.downloaded_bytes), (4000, 4));
    assert_eq!(ledger.phases["scale"].launches, 50);
    // Up to here.
    // In the book: timings.
    device.time_launches(10)?;
    for _ in 0..50 {
        launch_scale(device, values.len(), &values, 3)?;
    }
    let scale = device.ledger().phases["scale"];
    println!("{} launches, {} timed, about {:?} in all", scale.launches, scale.timed, scale.estimated());
    // Up to here.
    assert_eq!((scale.launches, scale.timed), (100, 5));
    Ok(())
}

// In the book: loans.
#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Loans {
    sums: Array<u32>,
    paid: Array<u32>,
}

#[kernel("owe")]
fn owe(loans: &Loans, owed: &mut Array<u32>) {
    if ABSOLUTE_POS < owed.len() {
        owed[ABSOLUTE_POS] = loans.sums[ABSOLUTE_POS] - loans.paid[ABSOLUTE_POS];
    }
}

fn owed(device: &Device, sums: &Buffer<u32>, paid: &Buffer<u32>) -> Result<Buffer<u32>, DeviceError> {
    let owed = device.empty("owed", sums.len())?;
    launch_owe(device, owed.len(), LoansBuffers { sums, paid }, &owed)?;
    Ok(owed)
}
// Up to here.

#[test]
fn arrays_are_passed_by_name() {
    for device in devices() {
        let (sums, paid) = (device.upload("sums", &[7, 8]).unwrap(), device.upload("paid", &[7, 5]).unwrap());
        assert_eq!(device.read(&owed(device, &sums, &paid).unwrap()).unwrap(), [0, 3], "{}", device.label());
    }
}

// In the book: texts.
const CUDA: &str = "
__global__ void saxpy(unsigned int n, float a, const float* x, float* y) {
    if (ABSOLUTE_POS < n) y[ABSOLUTE_POS] += a * x[ABSOLUTE_POS];
}";
const WGSL: &str = "
fn saxpy(n: u32, a: f32) {
    if ABSOLUTE_POS < n { y[ABSOLUTE_POS] += a * x[ABSOLUTE_POS]; }
}";

fn saxpy() -> KernelText {
    let text = KernelText::new("saxpy").length("n").number::<f32>("a");
    text.buffer::<f32>("x", "n").buffer_mut::<f32>("y", "n").cuda(CUDA).wgsl(WGSL)
}
// Up to here.

#[test]
fn texts_are_compiled_and_called() {
    for device in devices() {
        call_text(device).unwrap();
        refuse_text(device);
    }
}

#[allow(unsafe_code)]
fn call_text(device: &Device) -> Result<(), DeviceError> {
    // In the book: call of a text.
    // SAFETY: the function accesses only elements below the length of both buffers.
    let saxpy = unsafe { saxpy().compile(device)? };
    let (x, y) = (device.upload("x", &[1f32, 2.0, 3.0])?, device.upload("y", &[10f32, 20.0, 30.0])?);
    saxpy.call(device, x.len(), &[("a", 2f32.into()), ("x", (&x).into()), ("y", (&y).into())])?;
    assert_eq!(device.read(&y)?, [12.0, 24.0, 36.0]);
    // Up to here.
    Ok(())
}

#[allow(unsafe_code)]
fn refuse_text(device: &Device) {
    // In the book: error in a text.
    let wrong = saxpy().cuda(CUDA.replace("* x[", "* z[")).wgsl(WGSL.replace("* x[", "* z["));
    // SAFETY: it does not compile.
    let error = unsafe { wrong.compile(device) }.unwrap_err();
    println!("{error}; {}", error.remedy());
    // Up to here.
    assert!(["saxpy(3): error", "wgsl:3:"].iter().any(|line| error.to_string().contains(line)), "{error}");
}

// In the book: checked.
#[cube(launch)]
fn gather(values: &Array<u32>, indices: &Array<u32>, out: &mut Array<u32>, checks: &mut Checks) {
    if ABSOLUTE_POS < out.len() {
        let index = checks.read(indices, ABSOLUTE_POS, comptime!(line!())) as usize;
        let value = checks.read(values, index, comptime!(line!()));
        checks.write(out, ABSOLUTE_POS, value, comptime!(line!()));
    }
}

fn gathered(device: &Device, values: &[u32], indices: &[u32]) -> Result<Vec<u32>, DeviceError> {
    let out = device.empty("out", indices.len())?;
    let (values, indices) = (device.upload("values", values)?, device.upload("indices", indices)?);
    device.launch_checked("gather", out.len(), |client, cubes, dim, checks| {
        gather::launch(client, cubes, dim, values.arg(), indices.arg(), out.arg(), checks);
    })?;
    device.read(&out)
}
// Up to here.

#[test]
fn an_index_out_of_bounds_is_reported() {
    for info in inventory().devices {
        let mut device = info.open().unwrap();
        report(&mut device);
    }
}

fn report(device: &mut Device) {
    // In the book: report.
    device.check_indices(true);
    let error = gathered(device, &[10, 20, 30], &[2, 0, 7, 9]).unwrap_err();
    assert!(error.to_string().contains("the kernel \"gather\" accessed index 7 of an array of 3"));
    // Up to here.
    let line = include_str!("book.rs").lines().position(|line| line.contains("checks.read(values, index")).unwrap() + 1;
    let told = format!("book.rs:{line}, unit 2)");
    assert!(error.to_string().ends_with(&told), "{error}");
    assert_eq!(gathered(device, &[10, 20, 30], &[2, 0]).unwrap(), [30, 10]);
}

// In the book: reverse.
#[cube(launch)]
fn reverse(values: &mut Array<u32>) {
    let mut tile = SharedMemory::<u32>::new(64usize);
    tile[UNIT_POS as usize] = values[ABSOLUTE_POS];
    // `sync_cube()` is missing here.
    values[ABSOLUTE_POS] = tile[(63u32 - UNIT_POS) as usize];
}

fn reverse_tiles(device: &Device, values: &Buffer<u32>) -> Result<(), DeviceError> {
    let tiles = (values.len() / 64) as u32;
    device.launch_cubes("reverse tiles", tiles, 64, |client, cubes, dim| {
        reverse::launch(client, cubes, dim, values.arg());
    })
}
// Up to here.

#[test]
fn a_missing_barrier_is_reported() {
    let id = DeviceId::parse("host").unwrap();
    match open(id) {
        Ok(device) => find_missing_barrier(&device).unwrap(),
        Err(error) => skip_backend(id.backend.name(), error),
    }
}

fn find_missing_barrier(device: &Device) -> Result<(), DeviceError> {
    // In the book: missing_barrier.
    let values = device.upload("values", &[7u32; 128])?;
    let error = reverse_tiles(device, &values).unwrap_err();
    let what = "it reads shared memory that no unit has written";
    assert!(error.to_string().contains(what));
    // Up to here.
    Ok(())
}

// In the book: goods.
use throng_device::cube::NONE;
use throng_device::team::*;

/// The value of goods to agents.
#[cube]
trait Goods {
    fn count(&self) -> u32;
    fn worth(&self, agent: u32, good: u32) -> f64;
}

/// Returns the good with the highest value to an agent; ties go to the lower index.
#[cube]
fn most_wanted<G: Goods, T: Team>(goods: &G, team: &mut T, agent: u32) -> u32 {
    let mut own = Best { value: 0.0f64, item: NONE.runtime() };
    let mut good = team.first();
    while good < goods.count() {
        own.consider(goods.worth(agent, good), good);
        good += team.size();
    }
    let best = team.best(own);
    best.item
}
// Up to here.

// In the book: goods on a device.
#[derive(CubeType, CubeLaunch)]
struct GoodsOnDevice {
    worth: Array<f64>,
    count: u32,
}

#[cube]
impl Goods for GoodsOnDevice {
    fn count(&self) -> u32 {
        self.count
    }

    fn worth(&self, agent: u32, good: u32) -> f64 {
        self.worth[(agent * self.count + good) as usize]
    }
}

/// Each cube handles one agent, and each of its units handles some of the goods.
#[cube(launch)]
fn want(goods: &GoodsOnDevice, wanted: &mut Array<u32>, #[comptime] units: u32) {
    let mut team = CubeTeam::new(units, comptime!(Lists::default()));
    let best = most_wanted::<GoodsOnDevice, CubeTeam>(goods, &mut team, CUBE_POS as u32);
    if team.leads() {
        wanted[CUBE_POS] = best;
    }
}
// Up to here.

// In the book: goods on the CPU.
struct GoodsOnCpu {
    worth: Vec<f64>,
    count: u32,
}

// CubeCL's traits require a kernel type.
impl CubeType for GoodsOnCpu {
    type ExpandType = GoodsOnDeviceExpand;
}

impl Goods for GoodsOnCpu {
    fn count(&self) -> u32 {
        self.count
    }

    fn worth(&self, agent: u32, good: u32) -> f64 {
        self.worth[(agent * self.count + good) as usize]
    }
}
// Up to here.

fn wanted_on(device: &Device, worth: &[f64], goods: u32) -> Result<Vec<u32>, DeviceError> {
    let agents = worth.len() as u32 / goods;
    let wanted = device.upload("wanted", &vec![0u32; agents as usize])?;
    let worth = device.upload("worth", worth)?;
    // In the book: launch of teams.
    let units = 32;
    device.launch_cubes("want", agents, units, |client, cubes, dim| {
        let goods = GoodsOnDeviceLaunch::new(worth.arg(), goods);
        want::launch(client, cubes, dim, goods, wanted.arg(), units);
    })?;
    // Up to here.
    device.read(&wanted)
}

#[test]
fn devices_choose_the_same_goods_as_the_cpu() {
    let draws = Philox::new(1);
    for count in [21, 32, 50] {
        let worth = (0..50 * count).map(|i| f64::from(draws.below(8, i, 0, 0, 0))).collect();
        let goods = GoodsOnCpu { worth, count };
        // In the book: teams of one.
        let mut alone = Alone::new(Lists::default());
        let wanted: Vec<u32> = (0..50).map(|agent| most_wanted(&goods, &mut alone, agent)).collect();
        // Up to here.
        for device in with_f64(devices()) {
            assert_eq!(wanted_on(device, &goods.worth, count).unwrap(), wanted, "{}", device.info().label());
        }
    }
}

// In the book: cut loops.
#[cube(launch)]
fn count_passes(passes: u32, loop_probe: u32, found: &mut Array<u32>) {
    let mut count = 0u32;
    for pass in 0..passes {
        count += 1u32 + pass / passes;
    }
    found[0] = count;
    // `loop_probe` is 2: a compiler that knew this would remove the loop of the probe.
    found[1] = select(are_cut(loop_probe), 1u32, 0u32);
}
// Up to here.

#[test]
fn cut_loops_are_detected() {
    for device in devices() {
        for passes in [1000, 100_000] {
            let found = device.upload("found", &[0u32; 2]).unwrap();
            let launch = |client: &_, cubes, dim| count_passes::launch(client, cubes, dim, passes, 2, found.arg());
            device.launch_cubes("count", 1, 1, launch).unwrap();
            let counts = device.read(&found).unwrap();
            assert_eq!(counts[0] != passes, counts[1] == 1, "{counts:?} of {passes} on {}", device.label());
        }
    }
}

/// Returns the parts of this file that are in the book, by name.
fn parts() -> Vec<(String, String)> {
    let mut parts = Vec::new();
    for part in include_str!("book.rs").split("// In the book: ").skip(1) {
        let Some((name, rest)) = part.split_once(".\n") else { continue };
        let Some((code, _)) = rest.split_once("// Up to here.") else { continue };
        let lines: Vec<&str> = code.trim_end().lines().collect();
        let indent =
            lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
        let text = |line: &&str| line.get(indent.unwrap_or(0)..).unwrap_or("").to_owned() + "\n";
        parts.push((name.to_owned(), lines.iter().map(text).collect()));
    }
    parts
}

#[test]
fn the_book_contains_this_code() {
    let page = |name: &str| std::fs::read_to_string(repository().join("docs/src").join(name)).unwrap();
    let pages = page("kernels.md") + &page("cube-idioms.md");
    let parts = parts();
    assert!(parts.len() >= 14, "{}", parts.len());
    for (name, code) in &parts {
        assert!(pages.contains(&format!("```rust\n{code}```")), "no page has the code of {name}:\n{code}");
    }
    // The book has no other code.
    assert_eq!(pages.matches("```rust").count(), parts.len());
}
