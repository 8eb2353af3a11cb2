//! Sizes of types, and which of them can hold a pointer.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use tree_sitter::Node;

use crate::builtin_types::{Layout, depends_on_device, layout_of_words};
use crate::constants::Constants;
use crate::syntax::{Syntax, children_of_field, inner_declarator, named_children};

/// What is known of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Type {
    /// Size and alignment, or why they are not known.
    pub layout: Result<Layout, String>,
    /// How many pointers lie between a value of the type and what it points to, arrays not counted.
    pub pointers: usize,
    /// Whether it is an array.
    pub is_array: bool,
    /// What it points to, or its elements, or itself: whether they are numbers.
    pub is_of_numbers: bool,
    /// The alignment of what it points to.
    pub pointee_align: u64,
}

impl Type {
    fn unknown(why: impl Into<String>) -> Self {
        Self { layout: Err(why.into()), pointers: 0, is_array: false, is_of_numbers: false, pointee_align: 1 }
    }

    /// Whether a value that is read through the type, or is part of it, can be no pointer.
    pub fn is_plain(&self) -> bool {
        self.is_of_numbers && (self.pointers == 0 || self.pointers == 1 && !self.is_array)
    }

    /// Whether a value of the type can be no pointer.
    pub fn is_number(&self) -> bool {
        self.is_of_numbers && self.pointers == 0
    }
}

/// The structs, unions and names of types that a file defines.
#[derive(Debug, Default)]
pub(crate) struct Types {
    tagged: BTreeMap<String, Type>,
    named: BTreeMap<String, Type>,
}

/// Adds a type. Scopes are not told apart, so that a name of several types has an unknown layout.
fn insert(types: &mut BTreeMap<String, Type>, name: String, of_name: Type) {
    match types.entry(name) {
        Entry::Vacant(free) => {
            free.insert(of_name);
        }
        Entry::Occupied(mut known) if *known.get() != of_name => {
            known.get_mut().layout = Err("several types of this file have its name".to_owned());
        }
        Entry::Occupied(_) => {}
    }
}

/// Whether there are attributes among some pieces.
fn has_attributes(syntax: &Syntax<'_>, mut pieces: Range<usize>) -> bool {
    pieces.any(|piece| syntax.pieces.all.get(piece).is_some_and(|piece| piece.text.starts_with("__attribute")))
}

impl Types {
    /// Adds a `struct` or `union` with a body.
    pub fn define(&mut self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) {
        if let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) {
            let layout = self.of_fields(syntax, body, node.kind() == "union_specifier", constants);
            insert(&mut self.tagged, syntax.text(name), layout);
        }
    }

    /// Adds the names of a `typedef`.
    pub fn name(&mut self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) {
        let Some(specifier) = node.child_by_field_name("type") else { return };
        let mut base = self.of_specifier(syntax, specifier, constants);
        if has_attributes(syntax, syntax.pieces_of(node)) {
            // Such as those of vectors and of alignments.
            base.layout = Err("it has attributes".to_owned());
        }
        for declarator in children_of_field(node, "declarator") {
            if let Some(name) = crate::syntax::declared_name(declarator) {
                let named = self.with_declarator(syntax, base.clone(), declarator, constants);
                insert(&mut self.named, syntax.text(name), named);
            }
        }
    }

    /// The type of a declaration without what its declarators add.
    pub fn of_specifier(&self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) -> Type {
        let words: Vec<&str> = syntax.pieces_of(node).map(|piece| syntax.pieces.all[piece].text.as_str()).collect();
        match node.kind() {
            "struct_specifier" | "union_specifier" => {
                if let Some(body) = node.child_by_field_name("body") {
                    return self.of_fields(syntax, body, node.kind() == "union_specifier", constants);
                }
                let tag = node.child_by_field_name("name").map(|name| syntax.text(name)).unwrap_or_default();
                let unknown = || Type::unknown(format!("`{tag}` is not defined in the file"));
                self.tagged.get(&tag).cloned().unwrap_or_else(unknown)
            }
            "enum_specifier" => Type::of_layout(Layout { size: 4, align: 4 }),
            _ => {
                if let Some(layout) = layout_of_words(&words) {
                    return Type::of_layout(layout);
                }
                if let [word] = words.as_slice() {
                    if let Some(named) = self.named.get(*word) {
                        return named.clone();
                    }
                    if depends_on_device(word) {
                        let mut number = Type::unknown(format!("the size of `{word}` depends on the device"));
                        number.is_of_numbers = word.ends_with("size_t") || word.ends_with("diff_t");
                        return number;
                    }
                }
                Type::unknown(format!("the size of `{}` is not known", words.join(" ")))
            }
        }
    }

    /// A type with the pointers and arrays of a declarator.
    pub fn with_declarator(
        &self,
        syntax: &Syntax<'_>,
        mut base: Type,
        declarator: Node<'_>,
        constants: &Constants,
    ) -> Type {
        let mut node = Some(declarator);
        // From the outside to the name: an array of arrays and a pointer to a pointer come out right, and what mixes both
        // only loses its size.
        while let Some(current) = node {
            match current.kind() {
                "pointer_declarator" | "abstract_pointer_declarator" => {
                    if base.pointers == 0 {
                        base.pointee_align = base.layout.as_ref().map_or(1, |layout| layout.align);
                    }
                    base.pointers += 1;
                    base.layout = Err("the size of a pointer depends on the device".to_owned());
                }
                "array_declarator" | "abstract_array_declarator" => {
                    let count = current.child_by_field_name("size").and_then(|size| {
                        constants.evaluate(syntax, self, size).ok().and_then(|count| u64::try_from(count.value).ok())
                    });
                    base.is_array = true;
                    base.layout = base.layout.and_then(|Layout { size, align }| {
                        let size = count.and_then(|count| size.checked_mul(count));
                        size.map(|size| Layout { size, align })
                            .ok_or("the length of the array is not constant".to_owned())
                    });
                }
                "function_declarator" | "abstract_function_declarator" => return Type::unknown("it is a function"),
                _ => {}
            }
            node = inner_declarator(current);
        }
        base
    }

    /// The type that is named in a cast or in `sizeof`.
    pub fn of_descriptor(&self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) -> Type {
        let Some(specifier) = node.child_by_field_name("type") else { return Type::unknown("it is no type") };
        let base = self.of_specifier(syntax, specifier, constants);
        match node.child_by_field_name("declarator") {
            Some(declarator) => self.with_declarator(syntax, base, declarator, constants),
            None => base,
        }
    }

    /// A struct or union: members in order, each at a multiple of its alignment.
    fn of_fields(&self, syntax: &Syntax<'_>, body: Node<'_>, is_union: bool, constants: &Constants) -> Type {
        let mut whole = Type::of_layout(Layout { size: 0, align: 1 });
        let Range { start, end } = syntax.pieces_of(body.parent().unwrap_or(body));
        // Those after the body count, too.
        let has_attributes = has_attributes(syntax, start..end + 1);
        for field in named_children(body).into_iter().filter(|field| field.kind() == "field_declaration") {
            let Some(specifier) = field.child_by_field_name("type") else { continue };
            let base = self.of_specifier(syntax, specifier, constants);
            let is_bits = named_children(field).iter().any(|child| child.kind() == "bitfield_clause");
            let declarators = children_of_field(field, "declarator");
            let mut members: Vec<Type> = declarators
                .into_iter()
                .map(|declarator| self.with_declarator(syntax, base.clone(), declarator, constants))
                .collect();
            if members.is_empty() {
                // The members of an anonymous struct or union are those of the struct around it.
                members.push(base);
            }
            for member in members {
                whole.is_of_numbers &= member.is_number();
                whole.layout = match (whole.layout, member.layout) {
                    _ if is_bits => Err("it has bit fields".to_owned()),
                    (Ok(so_far), Ok(member)) => so_far.followed_by(member, is_union),
                    (Err(why), _) | (_, Err(why)) => Err(why),
                };
            }
        }
        whole.layout = match whole.layout {
            Ok(_) if has_attributes => Err("it has attributes".to_owned()),
            Ok(layout) => Ok(Layout { size: layout.size.next_multiple_of(layout.align), ..layout }),
            Err(why) => Err(why),
        };
        whole
    }
}

impl Type {
    fn of_layout(layout: Layout) -> Self {
        Self { layout: Ok(layout), pointers: 0, is_array: false, is_of_numbers: true, pointee_align: layout.align }
    }
}

impl Layout {
    fn followed_by(self, member: Self, is_union: bool) -> Result<Self, String> {
        let align = self.align.max(member.align);
        let start = if is_union { 0 } else { self.size.next_multiple_of(member.align) };
        let end = start.checked_add(member.size).filter(|end| *end < 1 << 40).ok_or("it is too large")?;
        Ok(Self { size: self.size.max(end), align })
    }
}
