//! One suite for every backend: the test of a case on a backend is `vulkan::exclusive_scan`, `cuda::exclusive_scan`,
//! and so on. A backend without a device is skipped.

mod compact;
mod cube;
mod device;
mod neighbours;
mod pairs;
mod parameters;
mod reduce;
mod sample;
mod scan;
mod segments;
mod sort;
mod source;

use throng_device::{Backend, Device, DeviceError, DeviceId, open};
use throng_testing::skip_backend;

/// Returns the first device of a backend; skips the test if there is none.
fn first_of(backend: Backend) -> Option<Device> {
    if backend == Backend::Host && std::env::var_os("THRONG_TEST_HOST").is_none() {
        skip_backend(backend.name(), "the kernel interpreter takes minutes; THRONG_TEST_HOST=1 runs it");
        return None;
    }
    match open(DeviceId { backend, index: 0 }) {
        Ok(device) => Some(device),
        Err(error @ DeviceError::NotFound { .. }) => {
            skip_backend(backend.name(), error);
            None
        }
        Err(error) => panic!("a device that was found opens: {error}"),
    }
}

/// Generates one test per case in one module per backend; a case is a function that takes the device.
macro_rules! backend_suite {
    ($($file:ident::$case:ident,)*) => {
        backend_suite!(@backend cuda, Cuda, $($file::$case,)*);
        backend_suite!(@backend vulkan, Vulkan, $($file::$case,)*);
        backend_suite!(@backend host, Host, $($file::$case,)*);
    };
    // Cases for the back ends with a compiler of texts.
    (with_compilers: $($file:ident::$case:ident,)*) => {
        backend_suite!(@backend cuda_texts, Cuda, $($file::$case,)*);
        backend_suite!(@backend vulkan_texts, Vulkan, $($file::$case,)*);
    };
    (@backend $module:ident, $backend:ident, $($file:ident::$case:ident,)*) => {
        mod $module {
            $(
                #[test]
                fn $case() {
                    let Some(device) = crate::backends::first_of(throng_device::Backend::$backend) else { return };
                    crate::backends::$file::$case(&device);
                }
            )*
        }
    };
}

backend_suite! {
    compact::compacted_indices,
    compact::compacted_values_of_every_type,
    cube::extremes_of_a_cube,
    cube::the_n_first_of_a_cube,
    cube::lists_and_choices_of_a_cube,
    cube::permutations_of_a_cube,
    cube::prefix_sums_of_a_cube,
    cube::teams_match_a_single_thread,
    cube::draws_shared_among_workers,
    device::a_grid_barrier_times_out,
    device::writes_before_a_grid_barrier_are_visible_to_all_cubes,
    device::double_precision,
    device::single_precision,
    device::transfers_and_launches,
    neighbours::crowds_and_large_worlds,
    neighbours::agents_meet_their_neighbours_as_on_the_host,
    neighbours::kernels_visit_neighbours_in_the_order_of_the_host,
    neighbours::random_worlds,
    neighbours::shared_functions_match_the_host,
    pairs::a_device_can_be_opened_twice,
    pairs::threads_share_a_device,
    parameters::each_field_arrives_under_its_name,
    parameters::each_buffer_arrives_under_its_name,
    reduce::extremes_of_floats,
    reduce::extremes_of_integers,
    reduce::positions_of_extremes,
    reduce::sums,
    reduce::ties_go_to_the_first,
    scan::exclusive_scan,
    scan::exclusive_scan_of_millions,
    scan::short_buffers_are_refused,
    segments::extremes_of_segments,
    segments::more_segments_than_cubes_fit_in_a_row,
    segments::offsets_out_of_order_or_range,
    segments::sums_of_segments,
    sort::sort_is_stable_in_every_number_of_bits,
    sort::sort_of_a_million,
    sort::sort_of_long_keys,
    sort::sorted_runs_and_single_digits,
}

backend_suite! {
    with_compilers:
    source::arguments_of_texts_are_checked,
    source::cubes_of_a_text_share_memory,
    source::declarations_of_texts_are_checked,
    source::each_number_of_a_text_arrives,
    source::errors_in_a_text_name_the_line,
    source::kernels_from_text_are_called_by_name,
    source::long_numbers_of_a_text_arrive,
    source::many_cubes_of_a_text_are_counted_across_rows,
}
