//! Enumerations that list all their values and name them in tables.

/// Declares an enumeration from `Variant = "name";` entries, with `ALL` and `name`.
macro_rules! listed {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal;)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All variants, in the order of declaration.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// The name used in tables.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}
pub(crate) use listed;
