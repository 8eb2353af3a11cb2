//! Random programs that allocate local memory as a stack, with a reference that executes all their paths.

use std::fmt::Write as _;

/// `SplitMix64`: small, and the same everywhere.
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
    /// A block with what happens while it is allocated.
    Block {
        tag: usize,
        size: u64,
        inside: Vec<Part>,
    },
    /// A block that is allocated in one of two branches.
    Either {
        tag: usize,
        choice: usize,
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
        times: u64,
        inside: Vec<Part>,
    },
    /// A call; `inside` happens while what the callee has left is allocated.
    Call {
        callee: usize,
        inside: Vec<Part>,
    },
    /// An early way out, with nothing of the function allocated.
    Return {
        choice: usize,
    },
}

pub struct Function {
    pub parts: Vec<Part>,
    /// The size and tag of a block that it leaves to its caller.
    pub leaves: Option<(u64, usize)>,
}

/// Functions that call those before them; the last one is the kernel.
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
            let parts = maker.parts(0, true);
            let may_leave = number < count && maker.random.below(4) == 0;
            let leaves = may_leave.then(|| (maker.size(), maker.tag()));
            // A way out would leave without the block.
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

    fn parts(&mut self, depth: u64, is_outermost: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(3) {
            if self.budget == 0 || depth > 4 {
                break;
            }
            self.budget -= 1;
            let inner = depth + 1;
            parts.push(match self.random.below(10) {
                0..=3 => Part::Block { tag: self.tag(), size: self.size(), inside: self.parts(inner, false) },
                4 => Part::Either {
                    tag: self.tag(),
                    choice: self.choice(),
                    size: self.size(),
                    inside: self.parts(inner, false),
                },
                5 => Part::If { choice: self.choice(), arms: [self.parts(inner, false), self.parts(inner, false)] },
                6 => Part::Switch { choice: self.choice(), arms: [self.parts(inner, false), self.parts(inner, false)] },
                7 => Part::Loop { times: 1 + self.random.below(2), inside: self.parts(inner, false) },
                8 if is_outermost => Part::Return { choice: self.choice() },
                _ if self.functions.is_empty() => continue,
                _ => {
                    let callee = self.random.below(self.functions.len() as u64) as usize;
                    Part::Call { callee, inside: self.parts(inner, false) }
                }
            });
        }
        parts
    }
}

/// A stack that checks what is asked of it, for all paths.
pub struct Runtime {
    pub stack: Vec<u64>,
    pub highest: u64,
    pub align: u64,
    /// How many blocks were allocated.
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
                Part::Loop { times, inside } => (0..*times).for_each(|_| self.execute_parts(inside, runtime)),
                Part::Call { callee, inside } => {
                    self.execute(*callee, runtime);
                    self.execute_parts(inside, runtime);
                    if let Some((size, _)) = self.functions[*callee].leaves {
                        runtime.free(size);
                    }
                }
                // The other way goes on, and nothing is allocated here.
                Part::Return { .. } => {}
            }
        }
    }

    /// The choices with which one execution reaches the peak: in each branch the arm with the higher peak. What is
    /// allocated before a branch adds to both arms alike, so the better arm is the same in all calls.
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
                Part::Loop { inside, .. } => self.best(inside, align, peaks, choices),
                Part::Call { callee, inside } => {
                    let left = self.functions[*callee].leaves.map_or(0, |(size, _)| size.next_multiple_of(align));
                    peaks[*callee].max(left + self.best(inside, align, peaks, choices))
                }
                Part::Return { .. } => 0,
            };
            best = best.max(peak);
        }
        best
    }
}

/// How a program is written.
pub struct Style<'s> {
    /// What its functions are called, so that several programs can be in one file.
    pub name: &'s str,
    /// Parameters and arguments for a runtime that takes the place of the planner, after the others.
    pub parameters: &'s str,
    pub arguments: &'s str,
    /// Whether its last function is a kernel.
    pub has_kernel: bool,
}

impl Program {
    /// The program in OpenCL C. Each block is filled by the work-group and verified before it is freed.
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
                Part::Either { tag, choice, size, .. } => writeln!(
                    out,
                    "{{ __local uchar *b{tag}; if (choice[{choice}]) b{tag} = local_malloc({size});
                     else {{ b{tag} = local_malloc({size}); }} fill(b{tag}, {size}, {tag});"
                ),
                Part::If { choice, .. } => writeln!(out, "if (choice[{choice}] == 0) {{"),
                Part::Switch { choice, .. } => writeln!(out, "switch (choice[{choice}]) {{ case 0: {{"),
                Part::Loop { times, .. } => writeln!(out, "for (int i = 0; i < {times}; i++) {{"),
                Part::Call { callee, .. } => {
                    let call = format!("{}_f{callee}(choice, sum{})", style.name, style.arguments);
                    match self.functions[*callee].leaves {
                        Some((_, tag)) => writeln!(out, "{{ __local uchar *b{tag} = {call};"),
                        None => writeln!(out, "{{ {call};"),
                    }
                }
                // 2 is no arm of a branch: choices are 0 and 1 except for tests of ways out.
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
                Part::Loop { inside, .. } => {
                    self.write(inside, style, ends, out);
                    let _ = writeln!(out, "}}");
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
                Part::Return { .. } => {}
            }
        }
    }
}

/// The functions with which programs fill and verify blocks.
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

/// The same without barriers: each byte belongs to the work-item that its address says, so that none is needed. Compilers
/// for the CPU copy what comes after a barrier in a branch, and would take minutes for programs with hundreds of them.
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
