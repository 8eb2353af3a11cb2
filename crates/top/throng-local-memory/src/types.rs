//! Sizes of types, and possible targets of values.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use tree_sitter::Node;

use crate::attributes::{Attributes, attributes, length};
use crate::builtin_types::{Layout, depends_on_device, layout_of_words};
use crate::constants::Constants;
use crate::normal::is_shared_word;
use crate::syntax::{Syntax, children_of_field, declared_name, inner_declarator, named_children};

/// Properties of a C type.
#[derive(Debug, Clone)]
pub(crate) struct Type {
    /// Size and alignment, or the reason why they are unknown.
    pub layout: Result<Layout, String>,
    pub shape: Shape,
    /// Whether a value of the type can hold a pointer; false for floating-point numbers and integers of less than 64
    /// bits.
    pub holds_pointers: bool,
    /// Whether it is in memory that the work-items of a group share.
    pub is_shared: bool,
    /// Whether a value of the type may contain a pointer to private memory; pointers in integers are not tracked.
    pub leads_to_private: bool,
    /// Nesting depth of the type.
    depth: usize,
}

/// Maximum nesting depth of types; C guarantees 63 levels of structs. Types own their nested types, so dropping a type
/// takes one stack frame per level.
const MAX_DEPTH: usize = 500;

/// Maximum size of a type, bytes.
const MAX_BYTES: u64 = 1 << 40;

/// Returns a size, unless it overflows or exceeds the limit.
fn within_limit(size: Option<u64>) -> Result<u64, String> {
    size.filter(|size| *size <= MAX_BYTES).ok_or_else(|| format!("its size exceeds the limit of {MAX_BYTES} bytes"))
}

/// The structure of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A scalar or a vector.
    Number,
    Pointer(Arc<Type>),
    Array(Arc<Type>),
    /// A struct or union with its members.
    Struct(Arc<BTreeMap<String, Type>>),
    /// A struct or union referenced by its tag, which may be defined later.
    Tag(String),
    Unknown,
}

/// Maximum number of nested types in a comparison. Their number could double with each level.
const MAX_COMPARED: usize = 10_000;

/// Types that are too large to compare count as different.
impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other, &mut { MAX_COMPARED })
    }
}

impl Eq for Type {}

impl Default for Type {
    fn default() -> Self {
        Self::unknown("it is not a type")
    }
}

impl Type {
    fn unknown(why: impl Into<String>) -> Self {
        Self {
            layout: Err(why.into()),
            shape: Shape::Unknown,
            holds_pointers: true,
            is_shared: false,
            leads_to_private: true,
            depth: 0,
        }
    }

    /// Whether the types are the same, comparing at most `left` nested types.
    fn is_same(&self, other: &Self, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let is_same_inside = match (&self.shape, &other.shape) {
            (Shape::Pointer(one), Shape::Pointer(other)) | (Shape::Array(one), Shape::Array(other)) => {
                Arc::ptr_eq(one, other) || one.is_same(other, left)
            }
            (Shape::Struct(one), Shape::Struct(other)) => {
                let mut pairs = one.iter().zip(other.iter());
                let mut is_same = |((name, one), (other_name, other)): ((&String, &Self), (&String, &Self))| {
                    name == other_name && one.is_same(other, left)
                };
                Arc::ptr_eq(one, other) || one.len() == other.len() && pairs.all(&mut is_same)
            }
            (one, other) => one == other,
        };
        let flags = |of: &Self| (of.holds_pointers, of.is_shared, of.leads_to_private, of.depth);
        is_same_inside && self.layout == other.layout && flags(self) == flags(other)
    }

    fn number(layout: Layout, holds_pointers: bool) -> Self {
        Self { layout: Ok(layout), shape: Shape::Number, holds_pointers, leads_to_private: false, ..Self::default() }
    }

    /// A number type with this layout.
    pub fn of_layout(layout: Layout) -> Self {
        Self::number(layout, false)
    }

    /// Sets the nesting depth of a type built from others, the deepest of which has `depth` levels.
    fn made_of(self, depth: usize) -> Self {
        if depth >= MAX_DEPTH {
            return Self::unknown(format!("its type is nested in more than {MAX_DEPTH} levels"));
        }
        Self { depth: depth + 1, ..self }
    }

    /// The type of a part of a value of this type, which is in the same memory.
    pub fn of_part(&self, part: Self) -> Self {
        Self { is_shared: self.is_shared || part.is_shared, ..part }
    }

    /// The type of a pointer to this type.
    pub fn pointer(self) -> Self {
        let layout = Err("the size of a pointer depends on the device".to_owned());
        let (depth, leads_to_private) = (self.depth, !self.is_shared || self.leads_to_private);
        let shape = Shape::Pointer(Arc::new(self));
        Self { layout, shape, leads_to_private, ..Self::default() }.made_of(depth)
    }

    fn array(self, length: Result<u64, String>) -> Self {
        let layout = self.layout.clone().and_then(|Layout { size, align }| {
            let size = within_limit(size.checked_mul(length?))?;
            Ok(Layout { size, align })
        });
        let depth = self.depth;
        let whole = Self { layout, ..self.clone() };
        Self { shape: Shape::Array(Arc::new(self)), ..whole }.made_of(depth)
    }

    /// The type of an argument inside a function: arrays are passed by address.
    pub fn of_parameter(self) -> Self {
        match &self.shape {
            Shape::Array(element) => self.of_part((**element).clone()).pointer(),
            _ => self,
        }
    }

    pub fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array(_))
    }

    pub fn is_number(&self) -> bool {
        self.shape == Shape::Number
    }

    pub fn is_unknown(&self) -> bool {
        self.shape == Shape::Unknown
    }

    /// The target of a pointer, or the elements of an array.
    pub fn target(&self) -> Option<&Type> {
        match &self.shape {
            Shape::Pointer(target) | Shape::Array(target) => Some(target),
            _ => None,
        }
    }

    /// Whether it is a pointer to memory that the work-items of a group share.
    pub fn points_to_shared(&self) -> bool {
        matches!(&self.shape, Shape::Pointer(target) if target.is_shared)
    }

    /// The alignment of the pointer's target.
    pub fn target_align(&self) -> u64 {
        self.target().and_then(|target| target.layout.as_ref().ok()).map_or(1, |layout| layout.align)
    }
}

/// The structs, unions and type names that a file defines.
#[derive(Debug, Default)]
pub(crate) struct Types {
    tagged: BTreeMap<String, Type>,
    named: BTreeMap<String, Type>,
    /// The expansion of type names into words, such as `unsigned long`.
    words: BTreeMap<String, Vec<String>>,
}

/// Adds a type. Scopes are not distinguished, so a name of several types has an unknown layout.
fn insert(types: &mut BTreeMap<String, Type>, name: String, of_name: Type) {
    match types.entry(name) {
        Entry::Vacant(free) => {
            free.insert(of_name);
        }
        Entry::Occupied(mut known) if *known.get() != of_name => {
            *known.get_mut() = Type::unknown("several types of this file have its name");
        }
        Entry::Occupied(_) => {}
    }
}

/// The attributes of a specifier with a body: those before and directly after the body.
fn own_attributes(syntax: &Syntax<'_>, specifier: Range<usize>, body: Range<usize>) -> Result<Attributes, String> {
    let all = &syntax.pieces.all;
    let Attributes { is_packed, align } = attributes(&all[specifier.start..body.start])?;
    let behind = attributes(&all[body.end..behind(syntax, body.end)])?;
    Ok(Attributes { is_packed: is_packed || behind.is_packed, align: align.max(behind.align) })
}

/// Index of the first piece after the attributes that start at `piece`.
fn behind(syntax: &Syntax<'_>, piece: usize) -> usize {
    piece + syntax.pieces.all.get(piece..).map_or(0, length)
}

/// The end of a specifier, including the attributes that belong to its body.
fn end_of_specifier(syntax: &Syntax<'_>, specifier: Node<'_>) -> usize {
    let end = syntax.pieces_of(specifier).end;
    if specifier.child_by_field_name("body").is_some() { behind(syntax, end) } else { end }
}

/// Whether the qualifiers of a declaration, or those after a star, name memory that the work-items of a group share.
fn is_shared(syntax: &Syntax<'_>, node: Node<'_>) -> bool {
    let children = named_children(node);
    children.into_iter().any(|child| child.kind() == "type_qualifier" && is_shared_word(&syntax.text(child)))
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
        let base = self.of_specifier(syntax, specifier, constants);
        let (whole, words) = (syntax.pieces_of(node), syntax.pieces_of(specifier));
        let all = &syntax.pieces.all;
        let around = [whole.start..words.start, end_of_specifier(syntax, specifier)..whole.end];
        let around = around.map(|pieces| attributes(all.get(pieces).unwrap_or_default()));
        for declarator in children_of_field(node, "declarator") {
            if let Some(name) = declared_name(declarator) {
                let mut named = self.with_declarator(syntax, base.clone(), declarator, constants);
                for attributes in &around {
                    named.layout = named.layout.and_then(|layout| {
                        // The name has a different alignment but the same size.
                        let align = attributes.clone()?.align.unwrap_or(layout.align);
                        Ok(Layout { align, ..layout })
                    });
                }
                if named.is_number() {
                    let words = words.clone().map(|piece| all[piece].text.clone()).collect();
                    self.words.insert(syntax.text(name), self.words(words));
                }
                insert(&mut self.named, syntax.text(name), named);
            }
        }
    }

    /// The type of a declaration without its declarators.
    pub fn of_specifier(&self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) -> Type {
        let named = self.without_qualifiers(syntax, node, constants);
        let is_shared = named.is_shared || node.parent().is_some_and(|declaration| is_shared(syntax, declaration));
        Type { is_shared, ..named }
    }

    fn without_qualifiers(&self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) -> Type {
        let words: Vec<&str> = syntax.pieces_of(node).map(|piece| syntax.pieces.all[piece].text.as_str()).collect();
        match node.kind() {
            "struct_specifier" | "union_specifier" => {
                if let Some(body) = node.child_by_field_name("body") {
                    return self.of_fields(syntax, body, node.kind() == "union_specifier", constants);
                }
                let tag = node.child_by_field_name("name").map(|name| syntax.text(name)).unwrap_or_default();
                // The layout must be known at this point; members may be defined later.
                let unknown = || Type::unknown(format!("`{tag}` is not defined in the file"));
                let known = self.tagged.get(&tag).cloned().unwrap_or_else(unknown);
                Type { shape: Shape::Tag(tag), ..known }
            }
            "enum_specifier" => Type::number(Layout { size: 4, align: 4 }, false),
            _ => {
                if let Some(layout) = layout_of_words(&words) {
                    return Type::number(layout, words.iter().any(|word| word.contains("long")));
                }
                if let [word] = words.as_slice() {
                    if let Some(named) = self.named.get(*word) {
                        return named.clone();
                    }
                    if depends_on_device(word) {
                        let unknown = Type {
                            leads_to_private: false,
                            ..Type::unknown(format!("the size of `{word}` depends on the device"))
                        };
                        let is_number = ["size_t", "diff_t", "intptr_t"].iter().any(|end| word.ends_with(end));
                        return if is_number { Type { shape: Shape::Number, ..unknown } } else { unknown };
                    }
                }
                Type::unknown(format!("the size of `{}` is not known", words.join(" ")))
            }
        }
    }

    /// Adds the pointers and arrays of a declarator to a type.
    pub fn with_declarator(
        &self,
        syntax: &Syntax<'_>,
        mut base: Type,
        declarator: Node<'_>,
        constants: &Constants,
    ) -> Type {
        let mut node = Some(declarator);
        // Declarators are read from the outside in, as in C: `(*a)[2]` is a pointer to an array.
        while let Some(current) = node {
            match current.kind() {
                "pointer_declarator" | "abstract_pointer_declarator" => {
                    base = Type { is_shared: is_shared(syntax, current), ..base.pointer() };
                }
                "array_declarator" | "abstract_array_declarator" => {
                    let length =
                        current.child_by_field_name("size").ok_or("the length of the array is not given".to_owned());
                    let length = length.and_then(|size| match constants.evaluate(syntax, self, size) {
                        Ok(count) => u64::try_from(count.value)
                            .map_err(|_| format!("the length of the array is {}", count.value)),
                        Err(reason) => Err(format!("the length of the array is not constant: {}", reason.why)),
                    });
                    base = base.array(length);
                }
                "function_declarator" | "abstract_function_declarator" => return Type::unknown("it is a function"),
                _ => {}
            }
            node = inner_declarator(current);
        }
        base
    }

    /// The type in a cast or in `sizeof`.
    pub fn of_descriptor(&self, syntax: &Syntax<'_>, node: Node<'_>, constants: &Constants) -> Type {
        let Some(specifier) = node.child_by_field_name("type") else { return Type::unknown("it is not a type") };
        let base = self.of_specifier(syntax, specifier, constants);
        match node.child_by_field_name("declarator") {
            Some(declarator) => self.with_declarator(syntax, base, declarator, constants),
            None => base,
        }
    }

    /// The words of a type, with type names expanded.
    pub fn words(&self, words: Vec<String>) -> Vec<String> {
        let single = match words.as_slice() {
            [name] => self.words.get(name).filter(|_| self.named.get(name).is_some_and(|named| !named.is_unknown())),
            _ => None,
        };
        single.cloned().unwrap_or(words)
    }

    /// A member of a struct or union, or a component of a vector.
    pub fn member(&self, of: &Type, name: &str) -> Type {
        let of = match &of.shape {
            Shape::Tag(tag) => self.tagged.get(tag).unwrap_or(of),
            _ => of,
        };
        match &of.shape {
            Shape::Struct(members) => members.get(name).cloned().unwrap_or_default(),
            Shape::Number => Type { layout: Err("it is a component".to_owned()), ..of.clone() },
            _ => Type::default(),
        }
    }

    /// The type of a struct or union body: members in order, each at a multiple of its alignment.
    fn of_fields(&self, syntax: &Syntax<'_>, body: Node<'_>, is_union: bool, constants: &Constants) -> Type {
        let mut layout = Ok(Layout { size: 0, align: 1 });
        let (mut holds_pointers, mut leads_to_private, mut depth) = (false, false, 0);
        let mut all = BTreeMap::new();
        let body_pieces = syntax.pieces_of(body);
        let own = own_attributes(syntax, syntax.pieces_of(body.parent().unwrap_or(body)), body_pieces.clone());
        let mut begin = body_pieces.start + 1;
        for field in named_children(body).into_iter().filter(|field| field.kind() == "field_declaration") {
            let Some(specifier) = field.child_by_field_name("type") else { continue };
            let base = self.of_specifier(syntax, specifier, constants);
            let is_bits = named_children(field).iter().any(|child| child.kind() == "bitfield_clause");
            let declarators = children_of_field(field, "declarator");
            let mut members: Vec<Type> = Vec::new();
            // Attributes before the first declarator apply to all members, others to the preceding declarator.
            let end = syntax.pieces_of(field).end;
            let starts = declarators.iter().map(|declarator| syntax.piece(*declarator));
            let ends: Vec<usize> = starts.chain([end]).collect();
            let all_pieces = &syntax.pieces.all;
            let of = |pieces: Range<usize>| attributes(all_pieces.get(pieces).unwrap_or_default());
            let before = of(begin..syntax.piece(specifier));
            let behind_specifier = of(end_of_specifier(syntax, specifier)..ends[0]);
            begin = end;
            for declarator in declarators {
                let member = self.with_declarator(syntax, base.clone(), declarator, constants);
                if let Some(name) = declared_name(declarator) {
                    all.insert(syntax.text(name), member.clone());
                }
                members.push(member);
            }
            if members.is_empty() {
                // Members of an anonymous struct or union belong to the enclosing struct.
                if let Shape::Struct(inner) = &base.shape {
                    all.extend(inner.iter().map(|(name, member)| (name.clone(), member.clone())));
                }
                members.push(base);
            }
            for (number, member) in members.into_iter().enumerate() {
                let last = ends.get(number..number + 2).map_or(Ok(Attributes::default()), |ends| of(ends[0]..ends[1]));
                let member_attributes = [&own, &before, &behind_specifier, &last];
                holds_pointers |= member.holds_pointers;
                leads_to_private |= member.leads_to_private;
                depth = depth.max(member.depth);
                layout = match (layout, member.layout) {
                    _ if is_bits => Err("it has bit fields".to_owned()),
                    (Ok(so_far), Ok(member)) => {
                        member.placed(member_attributes).and_then(|member| so_far.followed_by(member, is_union))
                    }
                    (Err(why), _) | (_, Err(why)) => Err(why),
                };
            }
        }
        layout = match layout {
            Ok(layout) => own.map(|own| {
                let align = layout.align.max(own.align.unwrap_or(1));
                Layout { size: layout.size.next_multiple_of(align), align }
            }),
            Err(why) => Err(why),
        };
        let shape = Shape::Struct(Arc::new(all));
        Type { layout, shape, holds_pointers, leads_to_private, ..Type::default() }.made_of(depth)
    }
}

impl Layout {
    /// Applies attributes to a member of a struct. The first attributes belong to the struct, the others to the member.
    fn placed(self, [of_struct, own @ ..]: [&Result<Attributes, String>; 4]) -> Result<Self, String> {
        let mut align = if of_struct.clone()?.is_packed { 1 } else { self.align };
        for attributes in own {
            if attributes.clone()?.is_packed {
                align = 1;
            }
        }
        let requested = own.iter().filter_map(|attributes| attributes.as_ref().ok()?.align).max();
        Ok(Self { align: align.max(requested.unwrap_or(1)), ..self })
    }

    fn followed_by(self, member: Self, is_union: bool) -> Result<Self, String> {
        let align = self.align.max(member.align);
        let start = if is_union { 0 } else { self.size.next_multiple_of(member.align) };
        let end = within_limit(start.checked_add(member.size))?;
        Ok(Self { size: self.size.max(end), align })
    }
}
