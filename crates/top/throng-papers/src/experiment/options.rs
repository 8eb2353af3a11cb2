//! Declares the options of an experiment, each in one place.

/// Declares the options of an experiment: first those with flags, as `field: Type = default; quick other, kind "flag"
/// "VALUE" "Help" read;`, then those without. Generates a struct with the defaults, the list of flags (`kind` is a
/// constructor of [`Flag`](throng_model::flags::Flag)), and `of`, which reads a request. A quick request replaces
/// defaults with their `quick` values, and `read(flags, name, default)` returns the value of a flag, see
/// [`flags`](super::flags).
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident, $flags:ident {
            $($field:ident: $type:ty = $default:expr $(; quick $quick:expr)?,
                $kind:ident $flag:literal $value:literal $help:literal $read:expr;)*
        }
        also { $($more:expr),* }
        fixed {
            $($(#[$doc:meta])* $fixed:ident: $fixed_type:ty = $fixed_default:expr $(, quick $fixed_quick:expr)?;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $(#[doc = $help] pub $field: $type,)*
            $($(#[$doc])* pub $fixed: $fixed_type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($fixed: $fixed_default,)* }
            }
        }

        pub(crate) const $flags: &[throng_model::flags::Flag] =
            &[$(throng_model::flags::Flag::$kind($flag, $value, $help),)* $($more,)*];

        impl $name {
            /// Reads the options of a request.
            pub(crate) fn of(quick: bool, flags: &throng_model::flags::Flags) -> Result<Self, throng_core::InputError> {
                let mut options = Self::default();
                if quick {
                    $($(options.$field = $quick;)?)*
                    $($(options.$fixed = $fixed_quick;)?)*
                }
                $(options.$field = $read(flags, $flag, options.$field)?;)*
                Ok(options)
            }
        }
    };
}
pub(crate) use options;
