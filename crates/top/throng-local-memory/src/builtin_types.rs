//! The types of OpenCL C with their sizes (OpenCL C 1.2, sections 6.1.1 and 6.1.2).

/// Size and alignment of a type, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub size: u64,
    pub align: u64,
}

/// Types with a device-dependent size, or without a size.
const OF_DEVICE: [&str; 21] = [
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "event_t",
    "sampler_t",
    "image1d_t",
    "image1d_buffer_t",
    "image1d_array_t",
    "image2d_t",
    "image2d_array_t",
    "image3d_t",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "atomic_size_t",
    "atomic_intptr_t",
    "atomic_uintptr_t",
    "atomic_ptrdiff_t",
    "cl_mem_fence_flags",
];

/// Scalar types with their sizes in bytes, including those of C in their one-word spelling.
const SCALARS: [(&str, u64); 21] = [
    ("char", 1),
    ("uchar", 1),
    ("short", 2),
    ("ushort", 2),
    ("int", 4),
    ("uint", 4),
    ("long", 8),
    ("ulong", 8),
    ("float", 4),
    ("double", 8),
    ("half", 2),
    ("bool", 1),
    ("_Bool", 1),
    ("atomic_int", 4),
    ("atomic_uint", 4),
    ("atomic_float", 4),
    ("atomic_flag", 4),
    ("atomic_long", 8),
    ("atomic_ulong", 8),
    ("atomic_double", 8),
    ("atomic_bool", 1),
];

/// Types that are also types of C, so that a C parser accepts them unchanged.
const OF_C: [&str; 7] = ["char", "short", "int", "long", "float", "double", "_Bool"];

/// Whether a word is a type of OpenCL C that a C parser does not know.
pub(crate) fn is_builtin(name: &str) -> bool {
    !OF_C.contains(&name) && (OF_DEVICE.contains(&name) || layout(name).is_some())
}

/// Whether the size of a type depends on the device.
pub(crate) fn depends_on_device(name: &str) -> bool {
    OF_DEVICE.contains(&name)
}

/// The layout of a scalar or vector type. Vectors of three components have the layout of four.
pub(crate) fn layout(name: &str) -> Option<Layout> {
    let scalar = |name: &str| SCALARS.iter().find(|(scalar, _)| *scalar == name).map(|(_, size)| *size);
    if let Some(size) = scalar(name) {
        return Some(Layout { size, align: size });
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let components = match &name[base.len()..] {
        "2" => 2,
        "3" | "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    let has_vectors = !base.contains("atomic") && !base.to_lowercase().ends_with("bool");
    let size = scalar(base).filter(|_| has_vectors)? * components;
    Some(Layout { size, align: size })
}

/// The layout of a type written in several words, such as `unsigned long`.
pub(crate) fn layout_of_words(words: &[&str]) -> Option<Layout> {
    let rest: Vec<&str> = words.iter().copied().filter(|word| !matches!(*word, "signed" | "unsigned")).collect();
    match rest.as_slice() {
        [] => layout("int").filter(|_| !words.is_empty()),
        [one] => layout(one),
        ["short" | "long", "int"] | ["int", "short" | "long"] => {
            layout(if rest.contains(&"long") { "long" } else { "short" })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_and_vectors_have_their_sizes() {
        let size = |name| layout(name).map(|layout| layout.size);
        for (name, expected) in [
            ("char", 1),
            ("uchar16", 16),
            ("half2", 4),
            ("float3", 16),
            ("float4", 16),
            ("double8", 64),
            ("long16", 128),
            ("ulong", 8),
            ("bool", 1),
        ] {
            assert_eq!(size(name), Some(expected), "{name}");
        }
        for name in ["float5", "float32", "size_t", "bool2", "atomic_int4", "4", "", "foo"] {
            assert_eq!(size(name), None, "{name}");
        }
    }

    #[test]
    fn types_of_several_words_have_their_sizes() {
        let size = |words: &[&str]| layout_of_words(words).map(|layout| layout.size);
        assert_eq!(size(&["unsigned"]), Some(4));
        assert_eq!(size(&["unsigned", "long", "int"]), Some(8));
        assert_eq!(size(&["signed", "char"]), Some(1));
        assert_eq!(size(&["long", "long"]), None);
        assert_eq!(size(&[]), None);
    }

    #[test]
    fn types_of_opencl_are_builtin_and_types_of_c_are_not() {
        assert!(is_builtin("float4") && is_builtin("uint") && is_builtin("size_t") && is_builtin("bool"));
        assert!(!is_builtin("float") && !is_builtin("int") && !is_builtin("foo4"));
    }
}
