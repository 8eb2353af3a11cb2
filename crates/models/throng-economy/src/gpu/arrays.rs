//! Arrays of kernels, and the same on a device.

/// Declares a struct of arrays that kernels take, and one of the buffers that hold them, from one list of fields. The argument
/// of a launch is made inside its closure.
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

        /// The same on a device.
        pub struct $buffers {
            $(pub $field: throng_device::Buffer<$element>,)+
        }

        impl $buffers {
            /// The argument of a launch.
            pub fn arg(&self) -> $argument<throng_device::Gpu> {
                $argument { $($field: self.$field.arg(),)+ _phantom_runtime: std::marker::PhantomData }
            }
        }

        // Views borrow them.
        impl CubeType for &$arrays {
            type ExpandType = <$arrays as CubeType>::ExpandType;
        }
        impl CubeType for &mut $arrays {
            type ExpandType = <$arrays as CubeType>::ExpandType;
        }
    };
}

pub(super) use arrays;
