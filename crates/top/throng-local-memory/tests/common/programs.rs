//! Random programs that allocate local memory as a stack, with a reference that executes all their paths.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// `SplitMix64`: small, and reproducible everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// A part of a function.
pub enum Part {
    /// A block, with the parts that run while it is allocated.
    Block {
        tag: usize,
        size: u64,
        inside: Vec<Part>,
    },
    /// A block that is allocated in one of two branches, of an `if` or of `?:`.
    Either {
        tag: usize,
        choice: usize,
        is_expression: bool,
        size: u64,
        inside: Vec<Part>,
    },
    If {
        choice: usize,
        arms: [Vec<Part>; 2],
    },
    Switch {
        choice: usize,
        arms: [Vec<Part>; 2],
    },
    Loop {
        tag: usize,
        how: Repeats,
        times: u64,
        inside: Vec<Part>,
    },
    /// An exit from the enclosing loop or `switch`, or a jump to the next iteration, with nothing allocated since it
    /// began.
    Leave {
        choice: usize,
        statement: &'static str,
    },
    /// Parts that a `goto` may skip.
    Skip {
        tag: usize,
        choice: usize,
        inside: Vec<Part>,
    },
    /// A call; `inside` runs while the blocks left by the callee are allocated.
    Call {
        callee: usize,
        inside: Vec<Part>,
    },
    /// An early return, with nothing of the function allocated.
    Return {
        choice: usize,
    },
}

/// The syntax of a loop.
#[derive(Clone, Copy)]
pub enum Repeats {
    For,
    While,
    Do,
    Goto,
}

/// The parts that are allowed in a function, depending on the context.
#[derive(Clone, Copy)]
struct Around {
    depth: u64,
    may_return: bool,
    may_break: bool,
    may_continue: bool,
}

impl Around {
    /// The context in a branch, with the same blocks allocated as outside.
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, may_return: false, ..self }
    }

    /// The context with a block allocated.
    fn allocated(self) -> Self {
        Self { may_break: false, may_continue: false, ..self.deeper() }
    }
}

pub struct Function {
    pub parts: Vec<Part>,
    /// Size and tag of a block that it leaves to its caller.
    pub leaves: Option<(u64, usize)>,
}

/// Functions that call earlier ones; the last one is the kernel.
pub struct Program {
    pub functions: Vec<Function>,
    pub choices: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    tags: usize,
    choices: usize,
    functions: Vec<Function>,
    budget: u64,
}

impl Program {
    pub fn random(random: &mut Random) -> Self {
        let count = 1 + random.below(5);
        let mut maker = Maker { random, tags: 0, choices: 0, functions: Vec::new(), budget: 0 };
        for number in 0..=count {
            maker.budget = 4 + maker.random.below(8);
            let outside = Around { depth: 0, may_return: true, may_break: false, may_continue: false };
            let parts = maker.parts(outside);
            let may_leave = number < count && maker.random.below(4) == 0;
            let leaves = may_leave.then(|| (maker.size(), maker.tag()));
            // An early return would not leave the block.
            let parts = if leaves.is_some() { without_returns(parts) } else { parts };
            maker.functions.push(Function { parts, leaves });
        }
        Self { functions: maker.functions, choices: maker.choices }
    }
}

fn without_returns(parts: Vec<Part>) -> Vec<Part> {
    parts.into_iter().filter(|part| !matches!(part, Part::Return { .. })).collect()
}

impl Maker<'_> {
    fn size(&mut self) -> u64 {
        [1, 4, 8, 12, 16, 20, 40, 64, 100, 128][self.random.below(10) as usize]
    }

    fn tag(&mut self) -> usize {
        self.tags += 1;
        self.tags
    }

    fn choice(&mut self) -> usize {
        self.choices += 1;
        self.choices - 1
    }

    fn parts(&mut self, around: Around) -> Vec<Part> {
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(3) {
            if self.budget == 0 || around.depth > 4 {
                break;
            }
            self.budget -= 1;
            let (deeper, allocated) = (around.deeper(), around.allocated());
            parts.push(match self.random.below(13) {
                0..=3 => Part::Block { tag: self.tag(), size: self.size(), inside: self.parts(allocated) },
                4 => Part::Either {
                    tag: self.tag(),
                    choice: self.choice(),
                    is_expression: self.random.below(2) == 0,
                    size: self.size(),
                    inside: self.parts(allocated),
                },
                5 => Part::If { choice: self.choice(), arms: [self.parts(deeper), self.parts(deeper)] },
                6 => {
                    let arm = Around { may_break: true, ..deeper };
                    Part::Switch { choice: self.choice(), arms: [self.parts(arm), self.parts(arm)] }
                }
                7 | 8 => {
                    let how = [Repeats::For, Repeats::While, Repeats::Do, Repeats::Goto][self.random.below(4) as usize];
                    let body = match how {
                        // A `goto` out of this loop also leaves the enclosing one.
                        Repeats::Goto => deeper,
                        _ => Around { may_break: true, may_continue: true, ..deeper },
                    };
                    Part::Loop { tag: self.tag(), how, times: 1 + self.random.below(2), inside: self.parts(body) }
                }
                9 => Part::Skip { tag: self.tag(), choice: self.choice(), inside: self.parts(deeper) },
                10 if around.may_return => Part::Return { choice: self.choice() },
                10 if around.may_continue => Part::Leave { choice: self.choice(), statement: "continue" },
                11 if around.may_break => Part::Leave { choice: self.choice(), statement: "break" },
                _ if self.functions.is_empty() => continue,
                _ => {
                    let callee = self.random.below(self.functions.len() as u64) as usize;
                    let leaves = self.functions[callee].leaves.is_some();
                    Part::Call { callee, inside: self.parts(if leaves { allocated } else { deeper }) }
                }
            });
        }
        parts
    }
}

/// A stack that checks its operations, for all paths.
pub struct Runtime {
    pub stack: Vec<u64>,
    pub highest: u64,
    pub align: u64,
    /// Number of blocks that were allocated.
    pub count: u64,
}

impl Runtime {
    fn allocate(&mut self, size: u64) {
        self.stack.push(size);
        self.count += 1;
        let height: u64 = self.stack.iter().map(|size| size.next_multiple_of(self.align)).sum();
        self.highest = self.highest.max(height);
    }

    fn free(&mut self, size: u64) {
        assert_eq!(self.stack.pop(), Some(size));
    }
}

impl Program {
    /// Executes all paths: both arms of each branch, one after the other from the same stack.
    pub fn execute(&self, function: usize, runtime: &mut Runtime) {
        self.execute_parts(&self.functions[function].parts, runtime);
        if let Some((size, _)) = self.functions[function].leaves {
            runtime.allocate(size);
        }
    }

    fn execute_parts(&self, parts: &[Part], runtime: &mut Runtime) {
        for part in parts {
            match part {
                Part::Block { size, inside, .. } | Part::Either { size, inside, .. } => {
                    runtime.allocate(*size);
                    self.execute_parts(inside, runtime);
                    runtime.free(*size);
                }
                Part::If { arms, .. } | Part::Switch { arms, .. } => {
                    for arm in arms {
                        self.execute_parts(arm, runtime);
                    }
                }
                Part::Loop { times, inside, .. } => (0..*times).for_each(|_| self.execute_parts(inside, runtime)),
                Part::Call { callee, inside } => {
                    self.execute(*callee, runtime);
                    self.execute_parts(inside, runtime);
                    if let Some((size, _)) = self.functions[*callee].leaves {
                        runtime.free(size);
                    }
                }
                Part::Skip { inside, .. } => self.execute_parts(inside, runtime),
                // The other path continues, and nothing is allocated on this one.
                Part::Return { .. } | Part::Leave { .. } => {}
            }
        }
    }

    /// Whether, on some path, a block reuses bytes of a freed one. Loops may be repeated.
    pub fn uses_bytes_again(&self, align: u64) -> bool {
        let mut uses = Uses { program: self, align, freed: BTreeSet::new(), found: false };
        uses.function(self.functions.len() - 1, 0);
        uses.found
    }

    /// The choices with which an execution reaches the peak: in each branch, the arm with the higher peak. Blocks
    /// allocated before a branch add the same to both arms, so the better arm is the same in all calls.
    pub fn choices_of_peak(&self, align: u64) -> Vec<u8> {
        let mut choices = vec![0; self.choices];
        let mut peaks = Vec::new();
        for function in &self.functions {
            let peak = self.best(&function.parts, align, &peaks, &mut choices);
            let left = function.leaves.map_or(0, |(size, _)| size.next_multiple_of(align));
            peaks.push(peak.max(left));
        }
        choices
    }

    fn best(&self, parts: &[Part], align: u64, peaks: &[u64], choices: &mut [u8]) -> u64 {
        let mut best = 0;
        for part in parts {
            let peak = match part {
                Part::Block { size, inside, .. } | Part::Either { size, inside, .. } => {
                    size.next_multiple_of(align) + self.best(inside, align, peaks, choices)
                }
                Part::If { choice, arms } | Part::Switch { choice, arms } => {
                    let [first, second] = arms.each_ref().map(|arm| self.best(arm, align, peaks, choices));
                    choices[*choice] = u8::from(first < second);
                    first.max(second)
                }
                Part::Loop { inside, .. } | Part::Skip { inside, .. } => self.best(inside, align, peaks, choices),
                Part::Call { callee, inside } => {
                    let left = self.functions[*callee].leaves.map_or(0, |(size, _)| size.next_multiple_of(align));
                    peaks[*callee].max(left + self.best(inside, align, peaks, choices))
                }
                Part::Return { .. } | Part::Leave { .. } => 0,
            };
            best = best.max(peak);
        }
        best
    }
}

/// The bytes of freed blocks on some path to a point.
struct Uses<'p> {
    program: &'p Program,
    align: u64,
    freed: BTreeSet<(u64, u64)>,
    found: bool,
}

impl Uses<'_> {
    /// Visits a block at `base`, and the parts that run while it is allocated.
    fn block(&mut self, base: u64, size: u64, inside: &[Part]) {
        self.found |= self.freed.iter().any(|(start, end)| *start < base + size && base < *end);
        self.parts(inside, base + size.next_multiple_of(self.align));
        self.freed.insert((base, base + size));
    }

    fn function(&mut self, number: usize, base: u64) {
        self.parts(&self.program.functions[number].parts, base);
    }

    fn parts(&mut self, parts: &[Part], base: u64) {
        for part in parts {
            match part {
                Part::Block { size, inside, .. } | Part::Either { size, inside, .. } => self.block(base, *size, inside),
                Part::If { arms, .. } | Part::Switch { arms, .. } => {
                    let before = self.freed.clone();
                    self.parts(&arms[0], base);
                    let after_first = std::mem::replace(&mut self.freed, before);
                    self.parts(&arms[1], base);
                    self.freed.extend(after_first);
                }
                Part::Loop { inside, .. } => (0..2).for_each(|_| self.parts(inside, base)),
                Part::Skip { inside, .. } => self.parts(inside, base),
                Part::Call { callee, inside } => {
                    self.function(*callee, base);
                    match self.program.functions[*callee].leaves {
                        Some((size, _)) => self.block(base, size, inside),
                        None => self.parts(inside, base),
                    }
                }
                Part::Return { .. } | Part::Leave { .. } => {}
            }
        }
    }
}

/// How a program is printed.
pub struct Style<'s> {
    /// Prefix of its function names, so that several programs fit into one file.
    pub name: &'s str,
    /// Additional parameters and arguments for a runtime that replaces the planner, after the others.
    pub parameters: &'s str,
    pub arguments: &'s str,
    /// Whether its last function is a kernel.
    pub has_kernel: bool,
}

impl Program {
    /// The program in OpenCL C. The work-group fills each block and verifies it before it is freed.
    pub fn text(&self, style: &Style<'_>) -> String {
        let mut out = String::new();
        let Style { name, parameters, .. } = style;
        for (number, function) in self.functions.iter().enumerate() {
            let is_kernel = style.has_kernel && number + 1 == self.functions.len();
            let ends =
                if is_kernel { "for (int i = 0; i < 2; i++) out[get_local_id(0) * 2 + i] = sum[i];\n" } else { "" };
            let result = if function.leaves.is_some() { "__local uchar *" } else { "void " };
            let _ = if is_kernel {
                writeln!(
                    out,
                    "__kernel void {name}(__global const uchar *choice, __global uint *out) {{\nuint sum[2] = {{0}};"
                )
            } else {
                writeln!(out, "{result}{name}_f{number}(__global const uchar *choice, uint *sum{parameters}) {{")
            };
            self.write(&function.parts, style, ends, &mut out);
            if let Some((size, tag)) = function.leaves {
                let _ = writeln!(
                    out,
                    "__local uchar *b{tag} = local_malloc({size}); fill(b{tag}, {size}, {tag}); return b{tag};"
                );
            }
            let _ = writeln!(out, "{ends}}}");
        }
        out
    }

    fn write(&self, parts: &[Part], style: &Style<'_>, ends: &str, out: &mut String) {
        for part in parts {
            let _ = match part {
                Part::Block { tag, size, .. } => {
                    writeln!(out, "{{ __local uchar *b{tag} = local_malloc({size}); fill(b{tag}, {size}, {tag});")
                }
                Part::Either { tag, choice, size, is_expression: true, .. } => writeln!(
                    out,
                    "{{ __local uchar *b{tag} = choice[{choice}] ? local_malloc({size}) : local_malloc({size});
                     fill(b{tag}, {size}, {tag});"
                ),
                Part::Either { tag, choice, size, .. } => writeln!(
                    out,
                    "{{ __local uchar *b{tag}; if (choice[{choice}]) b{tag} = local_malloc({size});
                     else {{ b{tag} = local_malloc({size}); }} fill(b{tag}, {size}, {tag});"
                ),
                Part::If { choice, .. } => writeln!(out, "if (choice[{choice}] == 0) {{"),
                Part::Switch { choice, .. } => writeln!(out, "switch (choice[{choice}]) {{ case 0: {{"),
                Part::Loop { tag, how, times, .. } => match how {
                    Repeats::For => writeln!(out, "for (int i = 0; i < {times}; i++) {{"),
                    Repeats::While => writeln!(out, "{{ int i{tag} = 0; while (i{tag}++ < {times}) {{"),
                    Repeats::Do => writeln!(out, "{{ int i{tag} = 0; do {{"),
                    Repeats::Goto => writeln!(out, "{{ int i{tag} = 0; again{tag}: {{"),
                },
                // 2 is not an arm of a branch: choices are 0 and 1, except for tests of exits.
                Part::Leave { choice, statement } => writeln!(out, "if (choice[{choice}] == 2) {statement};"),
                Part::Skip { tag, choice, .. } => writeln!(out, "if (choice[{choice}] == 2) goto skip{tag}; {{"),
                Part::Call { callee, .. } => {
                    let call = format!("{}_f{callee}(choice, sum{})", style.name, style.arguments);
                    match self.functions[*callee].leaves {
                        Some((_, tag)) => writeln!(out, "{{ __local uchar *b{tag} = {call};"),
                        None => writeln!(out, "{{ {call};"),
                    }
                }
                Part::Return { choice } => writeln!(out, "if (choice[{choice}] == 2) {{ {ends} return; }}"),
            };
            match part {
                Part::Block { tag, size, inside } | Part::Either { tag, size, inside, .. } => {
                    self.write(inside, style, ends, out);
                    let _ = writeln!(out, "verify(b{tag}, {size}, {tag}, sum); local_free({size}); }}");
                }
                Part::If { arms, .. } => {
                    self.write(&arms[0], style, ends, out);
                    let _ = writeln!(out, "}} else {{");
                    self.write(&arms[1], style, ends, out);
                    let _ = writeln!(out, "}}");
                }
                Part::Switch { arms, .. } => {
                    self.write(&arms[0], style, ends, out);
                    let _ = writeln!(out, "break; }}\ndefault:");
                    self.write(&arms[1], style, ends, out);
                    let _ = writeln!(out, "break; }}");
                }
                Part::Loop { tag, how, times, inside } => {
                    self.write(inside, style, ends, out);
                    let _ = match how {
                        Repeats::For => writeln!(out, "}}"),
                        Repeats::While => writeln!(out, "}} }}"),
                        Repeats::Do => writeln!(out, "}} while (++i{tag} < {times}); }}"),
                        Repeats::Goto => writeln!(out, "}} if (++i{tag} < {times}) goto again{tag}; }}"),
                    };
                }
                Part::Skip { tag, inside, .. } => {
                    self.write(inside, style, ends, out);
                    let _ = writeln!(out, "}} skip{tag}: ;");
                }
                Part::Call { callee, inside } => {
                    self.write(inside, style, ends, out);
                    let _ = match self.functions[*callee].leaves {
                        Some((size, tag)) => {
                            writeln!(out, "verify(b{tag}, {size}, {tag}, sum); local_free({size}); }}")
                        }
                        None => writeln!(out, "}}"),
                    };
                }
                Part::Return { .. } | Part::Leave { .. } => {}
            }
        }
    }
}

/// Functions with which programs fill and verify blocks.
pub const HELPERS: &str = "
void fill(__local uchar *p, uint n, uint tag) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) p[i] = (uchar)(tag * 31 + i * 7 + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
}
void verify(__local uchar *p, uint n, uint tag, uint *sum) {
    for (uint i = 0; i < n; i++) {
        if (p[i] != (uchar)(tag * 31 + i * 7 + 1)) sum[0]++;
        sum[1] = sum[1] * 33 + p[i];
    }
}
";

/// The same functions without barriers: each byte belongs to the work-item selected by its address, so no barrier is
/// needed. CPU compilers duplicate the code after a barrier in a branch, and would take minutes for programs with
/// hundreds of them.
pub const HELPERS_WITHOUT_BARRIERS: &str = "
void fill(__local uchar *p, uint n, uint tag) {
    for (uint i = 0; i < n; i++) {
        if (((size_t)(p + i) & 3) == get_local_id(0)) p[i] = (uchar)(tag * 31 + i * 7 + 1);
    }
}
void verify(__local uchar *p, uint n, uint tag, uint *sum) {
    for (uint i = 0; i < n; i++) {
        if (((size_t)(p + i) & 3) != get_local_id(0)) continue;
        if (p[i] != (uchar)(tag * 31 + i * 7 + 1)) sum[0]++;
        sum[1] += p[i] * (i + tag);
    }
}
";

/// A program that stores pointers in many ways, for tests that damage it.
pub const POINTERS: &str = "
struct s { __local int *at; int n; }; struct outer { struct s inner; __local int *more[2]; };
typedef struct { __local float *a[3]; float w; } set;
set make(__local float *x) { set s; s.a[0] = x; s.w = 1; return s; }
void read(__global int *out, struct s *s) { out[0] = s->at[1]; }
void swap(__local int **a, __local int **b) { __local int *t = *a; *a = *b; *b = t; }
float g(float x) { __local float *a = local_malloc(64); a[0] = x; barrier(1); local_free(64); return 0; }
__kernel void k(int c, __global int *out) {
    __local int *p = local_malloc(64), *r = 0; struct s s; struct outer o; ulong u;
    s.at = p; read(out, &s); o.more[1] = p; __local int **pp = &r; *pp = p; swap(&p, &r);
    out[0] = **pp + 2[p]; u = (ulong)p; *(__local int *)u = 3;
    __local int *all[2] = { p, p }; all[0] = all[1]; read(out, &(struct s){ p, 1 });
    float x = g(1) + g(2) * make((__local float *)p).a[1][0];
    __local int (*rows)[4] = (__local int (*)[4])p; r = rows[1]; x = (*rows)[2] ? g(3) : c && g(4) > 0;
    for (int i = 0; i < c; i++) {
        do { if (i == 2) continue; if (x > 3) break; switch (c) { case 1: g(1); break; default: r = p; } } while (c--);
    }
    again: if (c) goto again;
    local_free(64); __local int *q = local_malloc(64); q[0] = 1; local_free(64);
}
";
