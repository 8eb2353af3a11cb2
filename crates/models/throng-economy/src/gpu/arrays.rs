//! Arrays of kernels and their buffers on a device.

/// Declares from one list of fields a struct of arrays for kernels and a struct of the buffers that hold them. The
/// argument of a launch is built inside the launch closure.
macro_rules! arrays {
    (
        $(#[$about:meta])*
        $arrays:ident, $buffers:ident, $argument:ident {
            $($(#[$about_field:meta])* $field:ident: $element:ty,)+
        }
    ) => {
        $(#[$about])*
        #[derive(CubeType, CubeLaunch)]
        pub struct $arrays {
            $($(#[$about_field])* pub $field: Array<$element>,)+
        }

        /// The same arrays as buffers on a device.
        pub struct $buffers {
            $(pub $field: throng_device::Buffer<$element>,)+
        }

        impl $buffers {
            /// Returns the argument of a launch.
            pub fn arg(&self) -> $argument<throng_device::Gpu> {
                $argument { $($field: self.$field.arg(),)+ _phantom_runtime: std::marker::PhantomData }
            }
        }

        // Views borrow the arrays.
        impl CubeType for &$arrays {
            type ExpandType = <$arrays as CubeType>::ExpandType;
        }
        impl CubeType for &mut $arrays {
            type ExpandType = <$arrays as CubeType>::ExpandType;
        }
    };
}

pub(super) use arrays;
