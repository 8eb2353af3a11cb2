//! Tests that a rule gives the same results on the host and in kernels.

use std::fmt::Debug;

/// Generates a test that a rule has the same results on the host and on every device, bit for bit.
///
/// `fn name(arguments) -> type { body } for table` generates a module `name` with one test. The body is compiled twice:
/// for the host, and into a kernel in which each unit processes one row of the table; a row is a tuple of the
/// arguments. Numbers are `u32`, `i32`, `u64`, `f32` or `f64`; pass a flag as a word. All NaN compare equal.
///
/// ```
/// use throng_device::angles::{CIRCLE, sine};
///
/// throng_testing_devices::same_on_devices!(fn sines(angle: i32) -> i32 { sine(angle) } for (0..CIRCLE).map(|angle| (angle,)));
/// # fn main() {}
/// ```
///
/// A rule with several results names them after the body, each with the expression to compare:
///
/// ```
/// use throng_device::exact::{ieee_max, ieee_min};
///
/// throng_testing_devices::same_on_devices! {
///     fn sorted_pairs(a: f64, b: f64) {
///         let first = ieee_min(a, b);
///         let second = ieee_max(a, b);
///     } -> { low: f64 = first, high: f64 = second } for [(1.0, 2.0), (2.0, -0.5)]
/// }
/// # fn main() {}
/// ```
///
/// Types and functions in the body are resolved in the scope of the macro call. `name` must not be one of them, and no
/// argument may be called `arguments` or `results`.
#[macro_export]
macro_rules! same_on_devices {
    (
        $(#[$meta:meta])*
        fn $name:ident($($argument:ident: $type:tt),+ $(,)?) -> $result:tt { $($body:tt)* } for $table:expr
    ) => {
        $crate::same_on_devices! {
            $(#[$meta])*
            fn $name($($argument: $type),+) { let result_of_rule = { $($body)* }; }
            -> { result: $result = result_of_rule } for $table
        }
    };
    (
        $(#[$meta:meta])*
        fn $name:ident($($argument:ident: $type:tt),+ $(,)?) { $($body:tt)* }
        -> { $($result:ident: $of:tt = $value:expr),+ $(,)? } for $table:expr
    ) => {
        #[allow(missing_docs, unused_imports, reason = "made by a macro")]
        #[allow(clippy::pedantic, clippy::let_and_return, reason = "the text has to suit kernels, too")]
        mod $name {
            use super::*;
            use $crate::throng_device::cubecl::{self, prelude::*};

            #[derive(CubeLaunch, CubeType)]
            struct Arguments {
                $($argument: Array<$type>,)+
            }

            #[derive(CubeLaunch, CubeType)]
            struct Results {
                $($result: Array<$of>,)+
            }

            $crate::from_one_place! {
                #[cube(launch)]
                fn kernel(arguments: &Arguments, results: &mut Results, rows: u32) {
                    if (ABSOLUTE_POS as u32) < rows {
                        $(let $argument = arguments.$argument[ABSOLUTE_POS];)+
                        $($body)*
                        $(results.$result[ABSOLUTE_POS] = $value;)+
                    }
                }
            }

            #[derive(Default, Debug, Clone)]
            struct Table {
                $($argument: Vec<$type>,)+
            }

            impl Table {
                fn row(&self, row: usize) -> String {
                    [$(format!("{} {:?}", stringify!($argument), self.$argument[row])),+].join(", ")
                }
            }

            #[derive(Default, Debug, Clone)]
            struct Expected {
                $($result: Vec<$of>,)+
            }

            fn found_on(
                device: &$crate::throng_device::Device,
                table: &Table,
                rows: usize,
            ) -> Result<Expected, $crate::throng_device::DeviceError> {
                // Structs, because a result may have the name of an argument.
                struct Given {
                    $($argument: $crate::throng_device::Buffer<$type>,)+
                }
                struct Made {
                    $($result: $crate::throng_device::Buffer<$of>,)+
                }
                let given = Given { $($argument: device.upload(stringify!($argument), &table.$argument)?,)+ };
                let made = Made { $($result: device.empty::<$of>(stringify!($result), rows)?,)+ };
                device.launch(stringify!($name), rows, |client, cubes, dim| {
                    let arguments = ArgumentsLaunch {
                        $($argument: given.$argument.arg(),)+
                        _phantom_runtime: ::core::marker::PhantomData,
                    };
                    let results = ResultsLaunch {
                        $($result: made.$result.arg(),)+
                        _phantom_runtime: ::core::marker::PhantomData,
                    };
                    kernel::launch(client, cubes, dim, arguments, results, rows as u32);
                })?;
                Ok(Expected { $($result: device.read(&made.$result)?,)+ })
            }

            $(#[$meta])*
            #[test]
            fn is_the_same_on_devices() {
                let mut table = Table::default();
                let mut expected = Expected::default();
                let mut rows = 0;
                for ($($argument,)+) in $table {
                    $(table.$argument.push($argument);)+
                    $($body)*
                    $(expected.$result.push($value);)+
                    rows += 1;
                }
                assert!(rows > 0, "the table has no rows");
                let types = [$(stringify!($type),)+ $(stringify!($of)),+];
                for device in $crate::devices_for(&types) {
                    let found = found_on(device, &table, rows);
                    let found = found.unwrap_or_else(|error| panic!("{}: {error}", device.info().label()));
                    $(
                        let what = concat!(stringify!($result), " of ", stringify!($name));
                        let (on_host, on_device) = (&expected.$result, &found.$result);
                        if let Err((row, difference)) = $crate::first_difference(on_host, on_device) {
                            panic!("{what}: {difference} on {}, for {}", device.info().label(), table.row(row));
                        }
                    )+
                }
            }
        }
    };
}

/// Compares the results of the host with those of a device.
///
/// # Errors
/// The first row in which they differ, with both numbers.
pub fn first_difference<T: SameBits + Debug>(host: &[T], found: &[T]) -> Result<(), (usize, String)> {
    if host.len() != found.len() {
        return Err((0, format!("{} results on the host and {}", host.len(), found.len())));
    }
    match host.iter().zip(found).position(|(a, b)| !a.same_bits(*b)) {
        Some(row) => Err((row, format!("{:?} on the host and {:?}", host[row], found[row]))),
        None => Ok(()),
    }
}

/// Numbers that are compared bit by bit.
pub trait SameBits: Copy {
    /// Whether two numbers have the same bits; all NaN are considered equal.
    fn same_bits(self, other: Self) -> bool;
}

macro_rules! same_integers {
    ($($number:ty),+) => {
        $(impl SameBits for $number {
            fn same_bits(self, other: Self) -> bool {
                self == other
            }
        })+
    };
}

macro_rules! same_floats {
    ($($number:ty),+) => {
        $(impl SameBits for $number {
            fn same_bits(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        })+
    };
}

same_integers!(u32, i32, u64);
same_floats!(f32, f64);

/// Returns the devices that support all of these types: those with double precision if `f64` is among them.
pub fn devices_for(types: &[&str]) -> Vec<&'static throng_device::Device> {
    if types.contains(&"f64") { crate::with_f64(crate::all_devices()) } else { crate::all_devices() }
}

#[cfg(test)]
mod tests {
    use super::{SameBits as _, first_difference};

    #[test]
    fn a_single_bit_is_a_difference() {
        assert_eq!(first_difference(&[1.0, f64::NAN, -0.0], &[1.0, -f64::NAN, -0.0]), Ok(()));
        let text = |host: &[f64], found: &[f64]| first_difference(host, found).unwrap_err();
        assert_eq!(text(&[1.0, 0.0], &[1.0, -0.0]), (1, "0.0 on the host and -0.0".to_owned()));
        assert_eq!(text(&[0.1 + 0.2], &[0.3]).0, 0);
        assert_eq!(text(&[1.0], &[]).1, "1 results on the host and 0");
    }

    #[test]
    fn zeros_differ_by_sign_and_nan_is_nan() {
        assert!(!0.0f64.same_bits(-0.0) && (-0.0f32).same_bits(-0.0));
        assert!(f64::NAN.same_bits(-f64::NAN) && !f32::NAN.same_bits(0.0));
        assert!(7u32.same_bits(7) && !7i32.same_bits(8));
    }
}
