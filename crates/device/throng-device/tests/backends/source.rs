//! Kernels from source text.

#![allow(unsafe_code, reason = "each text accesses only elements below the length of its buffers")]

use throng_device::{Backend, Device, DeviceError, KernelText, SourceArgument};

const SAXPY_CUDA: &str = "
__device__ float product(float a, float x) { return a * x; }

extern \"C\" __global__ void __launch_bounds__(256) saxpy(unsigned int n, float a, const float* x, float* y) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += product(a, x[i]);
}";
const SAXPY_WGSL: &str = "
fn product(a: f32, x: f32) -> f32 { return a * x; }

fn saxpy(n: u32, a: f32) {
    let i = ABSOLUTE_POS;
    if i < n { y[i] += product(a, x[i]); }
}";

fn saxpy() -> KernelText {
    let text = KernelText::new("saxpy").length("n").number::<f32>("a");
    text.buffer::<f32>("x", "n").buffer_mut::<f32>("y", "n").cuda(SAXPY_CUDA).wgsl(SAXPY_WGSL)
}

pub fn kernels_from_text_are_called_by_name(device: &Device) {
    let before = device.ledger().phases.get("saxpy").copied().unwrap_or_default();
    // SAFETY: see the top of the file.
    let saxpy = unsafe { saxpy().compile(device) }.unwrap();
    // Small integers, for which the arithmetic is exact.
    let (xs, ys): (Vec<f32>, Vec<f32>) = (0..1000u16).map(|i| (f32::from(i), f32::from(3 * i))).unzip();
    let (x, y) = (device.upload("x", &xs).unwrap(), device.upload("y", &ys).unwrap());
    for a in [2f32, 0.5] {
        saxpy.call(device, x.len(), &[("y", (&y).into()), ("a", a.into()), ("x", (&x).into())]).unwrap();
    }
    let expected: Vec<f32> = xs.iter().zip(&ys).map(|(x, y)| y + 2.0 * x + 0.5 * x).collect();
    assert_eq!(device.read(&y).unwrap(), expected, "{}", device.label());
    assert_eq!(device.read(&x).unwrap(), xs);
    let after = device.ledger().phases["saxpy"];
    assert_eq!(after.launches - before.launches, 2, "the compilation is not a launch");
    assert!(after.first > before.first, "its time is counted");
}

pub fn cubes_of_a_text_share_memory(device: &Device) {
    let text = KernelText::new("sum_cubes").length("n").length("cubes").number::<i32>("offset").cube_units(64);
    let text = text.buffer::<i32>("values", "n").buffer_mut::<i32>("sums", "cubes");
    let text = text.cuda(
        "__global__ void sum_cubes(unsigned n, unsigned cubes, int offset, const int* values, int* sums) {
            __shared__ int found[CUBE_DIM];
            found[UNIT_POS] = ABSOLUTE_POS < n ? values[ABSOLUTE_POS] : 0;
            __syncthreads();
            if (UNIT_POS == 0 && CUBE_POS < cubes) {
                sums[CUBE_POS] = offset;
                for (unsigned i = 0; i < CUBE_DIM; i++) sums[CUBE_POS] += found[i];
            }
        }",
    );
    let text = text.wgsl(
        "var<workgroup> found: array<i32, CUBE_DIM>;
        fn sum_cubes(n: u32, cubes: u32, offset: i32) {
            found[UNIT_POS] = 0;
            if ABSOLUTE_POS < n { found[UNIT_POS] = values[ABSOLUTE_POS]; }
            workgroupBarrier();
            if UNIT_POS == 0u && CUBE_POS < cubes {
                sums[CUBE_POS] = offset;
                for (var i = 0u; i < CUBE_DIM; i++) { sums[CUBE_POS] += found[i]; }
            }
        }",
    );
    // SAFETY: see the top of the file.
    let sum_cubes = unsafe { text.compile(device) }.unwrap();
    let values: Vec<i32> = (0..200).map(|i| i - 70).collect();
    let (numbers, sums) = (device.upload("values", &values).unwrap(), device.empty::<i32>("sums", 4).unwrap());
    let arguments = [("values", (&numbers).into()), ("sums", (&sums).into()), ("offset", (-5).into())];
    sum_cubes.call(device, values.len(), &arguments).unwrap();
    let expected: Vec<i32> = values.chunks(64).map(|cube| cube.iter().sum::<i32>() - 5).collect();
    assert_eq!(device.read(&sums).unwrap(), expected, "{}", device.label());
}

pub fn many_cubes_of_a_text_are_counted_across_rows(device: &Device) {
    let text = KernelText::new("indices").length("n").buffer_mut::<u32>("found", "n").cube_units(1);
    let text = text
        .cuda("__global__ void indices(unsigned n, unsigned* found) { if (CUBE_POS < n) found[CUBE_POS] = ABSOLUTE_POS; }")
        .wgsl("fn indices(n: u32) { if CUBE_POS < n { found[CUBE_POS] = ABSOLUTE_POS; } }");
    // SAFETY: see the top of the file.
    let indices = unsafe { text.compile(device) }.unwrap();
    // More than a row of cubes.
    let found = device.upload("found", &vec![0u32; 70_000]).unwrap();
    indices.call(device, found.len(), &[("found", (&found).into())]).unwrap();
    let expected: Vec<u32> = (0..70_000).collect();
    assert_eq!(device.read(&found).unwrap(), expected, "{}", device.label());
}

/// Numbers of different sizes, between which the packed numbers have gaps.
pub fn each_number_of_a_text_arrives(device: &Device) {
    let text = KernelText::new("numbers").number::<u32>("a").length("n").number::<i32>("b").number::<f32>("c");
    let text = text.buffer_mut::<u32>("words", "n").buffer_mut::<f32>("reals", "m").length("m");
    let text = text
        .cuda(
            "__global__ void numbers(unsigned a, unsigned n, int b, float c, unsigned* words, float* reals, unsigned m) {
                if (ABSOLUTE_POS > 0) return;
                words[0] = a; words[1] = n; words[2] = b; words[3] = m; reals[0] = c;
            }",
        )
        .wgsl(
            "fn numbers(a: u32, n: u32, b: i32, c: f32, m: u32) {
                if ABSOLUTE_POS > 0u { return; }
                words[0] = a; words[1] = n; words[2] = u32(b); words[3] = m; reals[0] = c;
            }",
        );
    // SAFETY: see the top of the file.
    let numbers = unsafe { text.compile(device) }.unwrap();
    let (words, reals) = (device.empty::<u32>("words", 4).unwrap(), device.empty::<f32>("reals", 1).unwrap());
    let [a, b, c]: [SourceArgument<'_>; 3] = [4_000_000_000u32.into(), (-2i32).into(), 0.25f32.into()];
    let arguments = [("c", c), ("b", b), ("a", a), ("reals", (&reals).into()), ("words", (&words).into())];
    numbers.call(device, 1, &arguments).unwrap();
    assert_eq!(device.read(&words).unwrap(), [4_000_000_000, 4, u32::MAX - 1, 1], "{}", device.label());
    assert_eq!(device.read(&reals).unwrap(), [0.25]);
}

pub fn long_numbers_of_a_text_arrive(device: &Device) {
    let text = KernelText::new("long_numbers").number::<u32>("a").number::<f64>("b").number::<u64>("c").length("n");
    let text = text.buffer_mut::<f64>("reals", "n").buffer_mut::<u64>("words", "n");
    let text = text
        .cuda(
            "__global__ void long_numbers(
                unsigned a, double b, unsigned long long c, unsigned n, double* reals, unsigned long long* words
            ) {
                if (ABSOLUTE_POS < n) { reals[ABSOLUTE_POS] = b; words[ABSOLUTE_POS] = c + a; }
            }",
        )
        .wgsl(
            "fn long_numbers(a: u32, b: f64, c: u64, n: u32) {
                if ABSOLUTE_POS < n { reals[ABSOLUTE_POS] = b; words[ABSOLUTE_POS] = c + u64(a); }
            }",
        );
    // SAFETY: see the top of the file.
    let long_numbers = match unsafe { text.compile(device) } {
        Ok(kernel) => kernel,
        Err(DeviceError::Unsuitable { lacks, .. }) => return println!("skipped: {lacks}"),
        Err(error) => panic!("{error}"),
    };
    let (reals, words) = (device.empty::<f64>("reals", 3).unwrap(), device.empty::<u64>("words", 3).unwrap());
    let (a, b, c) = (7u32.into(), 0.1f64.into(), (1u64 << 40).into());
    let arguments = [("a", a), ("b", b), ("c", c), ("reals", (&reals).into()), ("words", (&words).into())];
    long_numbers.call(device, 3, &arguments).unwrap();
    assert_eq!(device.read(&reals).unwrap(), [0.1; 3], "{}", device.label());
    assert_eq!(device.read(&words).unwrap(), [(1 << 40) + 7; 3]);
}

/// Returns the message and the remedy of a text that does not compile.
fn refused(device: &Device, text: &KernelText) -> (String, &'static str) {
    // SAFETY: nothing is called.
    let error = unsafe { text.compile(device) }.unwrap_err();
    (error.to_string(), error.remedy())
}

pub fn errors_in_a_text_name_the_line(device: &Device) {
    let is_cuda = device.info().id.backend == Backend::Cuda;
    let with = |old: &str, new: &str| saxpy().cuda(SAXPY_CUDA.replace(old, new)).wgsl(SAXPY_WGSL.replace(old, new));
    let (line, signature) = if is_cuda {
        ("saxpy(6): error", "void saxpy(unsigned int n, float a, const float* x, float* y)")
    } else {
        ("wgsl:6:", "fn saxpy(n: u32, a: f32)")
    };
    let (message, remedy) = refused(device, &with("product(a, x[i])", "quotient(a, x[i])"));
    assert!(message.starts_with(&format!("{} could not compile the text of the kernel", device.label())), "{message}");
    for part in [line, "quotient", signature] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(
        !message.contains("ABSOLUTE_POS = ") && !message.contains("#define"),
        "the text is not repeated: {message}"
    );
    assert_eq!(remedy, "correct the text at the line in the message");
    // Another type than declared, and a missing function.
    for (old, new) in [("float a", "int a"), ("a: f32) {", "a: i32) {"), ("saxpy(", "saxy(")] {
        if is_cuda && SAXPY_CUDA.contains(old) || !is_cuda && SAXPY_WGSL.contains(old) {
            let (message, _) = refused(device, &with(old, new));
            assert!(message.contains(signature), "{message}");
        }
    }
    if is_cuda {
        let (message, _) = refused(device, &with("y[i] +=", "x[i] +="));
        assert!(message.contains(line), "it writes a buffer that it may only read: {message}");
    }
    // The device remains usable, and the name may be used again.
    kernels_from_text_are_called_by_name(device);
}

pub fn declarations_of_texts_are_checked(device: &Device) {
    let (ours, other) = if device.info().id.backend == Backend::Cuda { ("CUDA C++", "cuda") } else { ("WGSL", "wgsl") };
    let new = || KernelText::new("scale").cuda("").wgsl("");
    let cases = [
        (KernelText::new("scale"), format!("it has no text in {ours}, which the device needs"), other),
        (new().number::<u32>("2nd"), "\"2nd\" cannot be a name".into(), "letters"),
        (new().number::<u32>("throng_x"), "\"throng_x\" cannot be a name".into(), "throng_"),
        (new().number::<u32>("a").number::<f32>("a"), "the name \"a\" occurs twice".into(), "own name"),
        (new().number::<u32>("scale"), "the name \"scale\" occurs twice".into(), "own name"),
        (
            new().buffer::<u32>("x", "n"),
            "the buffer \"x\" has the length \"n\", which is not declared".into(),
            "declare it with `length`",
        ),
        (new().length("n"), "no buffer has the length \"n\"".into(), "as a number"),
        (new().cube_units(0), format!("its cubes have 0 units, and {} allows 1 to ", device.label()), "`cube_units`"),
        (new().cube_units(1 << 30), "its cubes have 1073741824 units".into(), "`cube_units`"),
        (new().cuda("\n\0").wgsl("\n\0"), "line 2 of its text contains the character \\0".into(), "remove it"),
    ];
    for (text, problem, remedy) in cases {
        let (message, found) = refused(device, &text);
        assert!(message.starts_with(&format!("the kernel \"scale\": {problem}")), "{message}");
        assert!(found.contains(remedy), "{message}; {found}");
    }
    // Some Vulkan drivers allow a million buffers.
    if device.check_buffers(2000).is_err() {
        let many = (0..2000).fold(new().length("n"), |text, i| text.buffer::<u32>(format!("b{i}").leak(), "n"));
        let (message, _) = refused(device, &many);
        assert!(message.contains("buffers, and 2000 are needed"), "{message}");
    }
}

pub fn arguments_of_texts_are_checked(device: &Device) {
    // SAFETY: see the top of the file.
    let saxpy = unsafe { saxpy().compile(device) }.unwrap();
    let (x, y) = (device.upload("x", &[1f32, 2.0]).unwrap(), device.upload("y", &[1f32, 2.0]).unwrap());
    let (short, words) = (device.upload("short", &[1f32]).unwrap(), device.upload("words", &[1u32, 2]).unwrap());
    let [x, y, short, words]: [SourceArgument<'_>; 4] = [(&x).into(), (&y).into(), (&short).into(), (&words).into()];
    let (a, n) = (2f32.into(), 2u32.into());
    let cases = [
        (vec![("a", a), ("x", x)], "the argument \"y\" is missing", "give each number and each buffer"),
        (vec![("x", x), ("y", y)], "the argument \"a\" is missing", "give each number and each buffer"),
        (
            vec![("a", a), ("x", x), ("y", y), ("z", y)],
            "it has no parameter \"z\"; its parameters are n, a, x, y",
            "correct the name",
        ),
        (vec![("a", a), ("x", x), ("x", x), ("y", y)], "the argument \"x\" occurs twice", "once"),
        (
            vec![("a", 2f64.into()), ("x", x), ("y", y)],
            "\"a\" is a number of type f32, but the argument is a number of type f64",
            "declared type",
        ),
        (
            vec![("a", a), ("x", words), ("y", y)],
            "\"x\" is a buffer of f32, but the argument is a buffer of u32",
            "declared type",
        ),
        (
            vec![("a", x), ("x", x), ("y", y)],
            "\"a\" is a number of type f32, but the argument is a buffer of f32",
            "declared type",
        ),
        (
            vec![("a", a), ("x", x), ("y", y), ("n", n)],
            "\"n\" is a length, which is taken from the buffers, but the argument is a number of type u32",
            "declared type",
        ),
        (
            vec![("a", a), ("x", x), ("y", short)],
            "\"y\" has 1 elements, and \"x\" has 2, but both have the length \"n\"",
            "same length",
        ),
    ];
    let launches = || device.ledger().phases["saxpy"].launches;
    let before = launches();
    for (arguments, problem, remedy) in cases {
        let error = saxpy.call(device, 2, &arguments).unwrap_err();
        assert_eq!(error.to_string(), format!("the kernel \"saxpy\": {problem}"));
        assert!(error.remedy().contains(remedy), "{error}; {}", error.remedy());
    }
    assert_eq!(launches(), before, "nothing was launched");
}
