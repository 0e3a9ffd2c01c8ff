//! Sums of products are rounded at the same places in all kernels that solve constraints, as shaders/lib/products.wgsl has it: a driver has nothing to contract.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction, Module, ScalarKind,
    Statement, TypeInner, UnaryOperator,
};
use pliant::constraint::ALL;
use pliant::solver::{Kernel, all_kernels};

/// Kernels that do the same work in another mode: constraints by colours, in islands and clusters, and the beginning and end of substeps, which
/// the latter do as well. Of others, such as contacts, levels and tears, there is one each for whatever mode.
const COVERED: [&str; 8] = ["solve ", "island ", "cluster ", "lattice", "begin", "predict", "finish", "gather"];

#[test]
fn sums_have_no_products_for_operands() {
    let kernels: Vec<Kernel> = all_kernels(ALL)
        .into_iter()
        .filter(|kernel| COVERED.iter().any(|label| kernel.label.starts_with(label)))
        .collect();
    for label in COVERED {
        assert!(kernels.iter().any(|kernel| kernel.label.starts_with(label)), "no kernel {label}");
    }
    // The same line is in many kernels.
    let mut seen = BTreeSet::new();
    let found = kernels.iter().flat_map(|kernel| found(&kernel.label, &kernel.text()));
    let failures: Vec<String> = found
        .filter(|(_, place)| seen.insert(place.clone()))
        .map(|(kernel, place)| format!("{kernel}{place}"))
        .collect();
    assert!(failures.is_empty(), "{} sums of products:\n{}", failures.len(), failures.join("\n"));
}

/// What the test above looks for is found: by lines that a driver may contract, and lines that it may not.
#[test]
fn sums_of_products_are_found() {
    let count = |body: &str| {
        let text = format!(
            "struct Pair {{ sum: f32, product: f32 }}
             @group(0) @binding(0) var<storage, read_write> a: array<f32>;
             fn pair(x: f32) -> Pair {{ return Pair(x + 1.0, x * x); }}
             fn more(x: f32) -> f32 {{ return x + 1.0; }}
             @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {{ let x = a[i]; let v = vec3f(x); {body} }}"
        );
        found("", &text).len()
    };
    for body in [
        "a[i] = x * x + x;",
        "a[i] = x - x / 3.0;",
        "let y = -(x * x); a[i] = select(x, y, x > 0.0) + x;",
        "var y = x; if (x > 0.0) { y *= x; } a[i] = y + x;",
        "a[i] = (v * x + v).y;",
        "a[i] = vec2f(x * x, x).y + x;",
        "a[i] = pair(x).product + x;",
        "let y = pair(x); a[i] = y.product + x;",
        "a[i] = more(x * x);",
        "var y = 0.0; y = fma(x, x, y); a[i] = y + x;",
        "a[i] = dot(v, v);",
        "a[i] = length(v);",
        "a[i] = (mat3x3f(v, v, v) * v).x;",
        "a[i] = abs(x * x) + x;",
    ] {
        assert_eq!(count(body), 1, "{body}");
    }
    for body in [
        "a[i] = fma(x, x, x * x) + x;",
        "a[i] = max(x * x, 0.0) + x;",
        "a[i] = pair(x).sum + x;",
        "let y = pair(x); a[i] = y.sum + x;",
        "a[i] = more(x + x);",
        "var y = 0.0; y = fma(x, x, y + x); a[i] = y + x;",
        "a[i * 3u + 1u] = (2.0 * 3.0) + x;",
    ] {
        assert_eq!(count(body), 0, "{body}");
    }
}

/// The label of a kernel, and which sums in its text have products for operands, or are within a function of WGSL: the function's name and the sum.
fn found(label: &str, text: &str) -> Vec<(String, String)> {
    let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{label}: {error}"));
    let info = Validator::new(ValidationFlags::all(), Capabilities::default()).validate(&module).unwrap();
    let walk = Walk::new(&module, &info);
    let mut found = Vec::new();
    for (index, body) in walk.bodies.iter().enumerate() {
        for (handle, _) in body.function.expressions.iter() {
            if walk.is_sum_of_products(index, handle) {
                let name = body.function.name.as_deref().unwrap_or("main");
                let range = body.function.expressions.get_span(handle).to_range();
                let sum = range.and_then(|range| text.get(range)).unwrap_or("?");
                found.push((label.to_string(), format!(": {name}: {sum}")));
            }
        }
    }
    found
}

/// What is stored, and in which member where the variable is a struct.
type Store = (Option<u32>, Handle<Expression>);

/// Which function calls, and its arguments.
type Call = (usize, Vec<Handle<Expression>>);

/// A function, and what its statements say of its expressions.
struct Body<'a> {
    function: &'a Function,
    info: &'a FunctionInfo,
    stores: HashMap<Handle<LocalVariable>, Vec<Store>>,
    returns: Vec<Handle<Expression>>,
}

/// An expression of a function, or a member of it where it is a struct.
type Part = (usize, Handle<Expression>, Option<u32>);

struct Walk<'a> {
    module: &'a Module,
    /// All functions by their handles, then the entry points.
    bodies: Vec<Body<'a>>,
    /// The calls of each function.
    calls: HashMap<Handle<Function>, Vec<Call>>,
    products: RefCell<HashMap<Part, bool>>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a Module, info: &'a ModuleInfo) -> Self {
        let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
        let entries = module.entry_points.iter().enumerate();
        let entries = entries.map(|(index, entry)| (&entry.function, info.get_entry_point(index)));
        let body = |(function, info)| Body { function, info, stores: HashMap::new(), returns: Vec::new() };
        let bodies = functions.chain(entries).map(body).collect();
        let mut walk = Self { module, bodies, calls: HashMap::new(), products: RefCell::default() };
        for index in 0..walk.bodies.len() {
            let function = walk.bodies[index].function;
            for (handle, local) in function.local_variables.iter() {
                walk.bodies[index].stores.entry(handle).or_default().extend(local.init.map(|init| (None, init)));
            }
            walk.read(index, &function.body);
        }
        walk
    }

    fn read(&mut self, index: usize, block: &'a Block) {
        for statement in block {
            match statement {
                Statement::Block(block) => self.read(index, block),
                Statement::If { accept, reject, .. } => {
                    [accept, reject].into_iter().for_each(|block| self.read(index, block))
                }
                Statement::Switch { cases, .. } => cases.iter().for_each(|case| self.read(index, &case.body)),
                Statement::Loop { body, continuing, .. } => {
                    [body, continuing].into_iter().for_each(|block| self.read(index, block));
                }
                Statement::Store { pointer, value } => {
                    if let Some((local, member)) = self.local(index, *pointer) {
                        self.bodies[index].stores.entry(local).or_default().push((member, *value));
                    }
                }
                Statement::Return { value: Some(value) } => self.bodies[index].returns.push(*value),
                Statement::Call { function, arguments, .. } => {
                    self.calls.entry(*function).or_default().push((index, arguments.clone()));
                }
                _ => {}
            }
        }
    }

    fn expression(&self, index: usize, handle: Handle<Expression>) -> &'a Expression {
        &self.bodies[index].function.expressions[handle]
    }

    fn inner(&self, index: usize, handle: Handle<Expression>) -> &TypeInner {
        self.bodies[index].info[handle].ty.inner_with(&self.module.types)
    }

    fn is_float(&self, index: usize, handle: Handle<Expression>) -> bool {
        let scalar = self.inner(index, handle).scalar();
        scalar.is_some_and(|scalar| matches!(scalar.kind, ScalarKind::Float | ScalarKind::AbstractFloat))
    }

    /// The local variable that a pointer leads to, and which member of it where it is a struct.
    fn local(&self, index: usize, pointer: Handle<Expression>) -> Option<(Handle<LocalVariable>, Option<u32>)> {
        match *self.expression(index, pointer) {
            Expression::LocalVariable(local) => Some((local, None)),
            Expression::Access { base, .. } => self.local(index, base),
            Expression::AccessIndex { base, index: member } => {
                let (local, outer) = self.local(index, base)?;
                let ty = self.bodies[index].function.local_variables[local].ty;
                let is_struct = matches!(self.module.types[ty].inner, TypeInner::Struct { .. });
                Some((local, outer.or(is_struct.then_some(member))))
            }
            _ => None,
        }
    }

    /// The values that may be in a variable, or in a member of it.
    fn stored(&self, index: usize, pointer: Handle<Expression>, member: Option<u32>) -> Vec<Part> {
        let Some((local, own)) = self.local(index, pointer) else { return Vec::new() };
        let member = own.or(member);
        let stores = self.bodies[index].stores[&local].iter();
        let parts = stores.filter_map(|&(to, value)| match (to, member) {
            (None, member) => Some((index, value, member)),
            (Some(to), Some(member)) if to != member => None,
            _ => Some((index, value, None)),
        });
        parts.collect()
    }

    /// Where a value comes from, if it is not worked out but handed on.
    fn sources(&self, (index, handle, member): Part) -> Vec<Part> {
        let is_struct = |handle| matches!(self.inner(index, handle), TypeInner::Struct { .. });
        match self.expression(index, handle) {
            Expression::Splat { value, .. } => vec![(index, *value, None)],
            Expression::Swizzle { vector, .. } => vec![(index, *vector, None)],
            Expression::Access { base, .. } => vec![(index, *base, None)],
            Expression::AccessIndex { base, index: inside } => {
                vec![(index, *base, if is_struct(*base) { Some(*inside) } else { None })]
            }
            Expression::Compose { components, .. } => match member.filter(|_| is_struct(handle)) {
                Some(member) => vec![(index, components[member as usize], None)],
                None => components.iter().map(|&component| (index, component, None)).collect(),
            },
            Expression::Select { accept, reject, .. } => vec![(index, *accept, member), (index, *reject, member)],
            Expression::Unary { op: UnaryOperator::Negate, expr } => vec![(index, *expr, None)],
            Expression::Math { fun: MathFunction::Transpose | MathFunction::Abs, arg, .. } => vec![(index, *arg, None)],
            Expression::Load { pointer } => self.stored(index, *pointer, member),
            Expression::CallResult(function) => {
                let returns = self.bodies[function.index()].returns.iter();
                returns.map(|&value| (function.index(), value, member)).collect()
            }
            Expression::FunctionArgument(place) => {
                let calls = self.calls.iter().find(|(function, _)| function.index() == index);
                let calls = calls.map_or(&[][..], |(_, calls)| calls);
                calls.iter().map(|(caller, arguments)| (*caller, arguments[*place as usize], member)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether this holds of what a value may come from.
    fn any_source(&self, part: Part, holds: &dyn Fn(usize, Handle<Expression>) -> bool) -> bool {
        let (mut seen, mut left) = (HashSet::from([part]), vec![part]);
        while let Some(part) = left.pop() {
            if holds(part.0, part.1) {
                return true;
            }
            left.extend(self.sources(part).into_iter().filter(|&source| seen.insert(source)));
        }
        false
    }

    /// Whether a value may be a product or a quotient of floating-point numbers.
    fn may_be_product(&self, index: usize, handle: Handle<Expression>) -> bool {
        let part = (index, handle, None);
        if let Some(&known) = self.products.borrow().get(&part) {
            return known;
        }
        let is = self.any_source(part, &|index, handle| self.is_product(index, handle));
        self.products.borrow_mut().insert(part, is);
        is
    }

    fn is_product(&self, index: usize, handle: Handle<Expression>) -> bool {
        match *self.expression(index, handle) {
            Expression::Binary { op: BinaryOperator::Multiply | BinaryOperator::Divide, .. } => {
                self.is_float(index, handle)
            }
            // What a compiler makes of one to which zero is added.
            Expression::Math { fun: MathFunction::Fma, arg2: Some(addend), .. } => {
                self.any_source((index, addend, None), &|index, handle| self.is_zero(index, handle))
            }
            Expression::Math { fun: MathFunction::Radians | MathFunction::Degrees, .. } => true,
            _ => false,
        }
    }

    /// Whether a compiler sees that a value is zero. A variable is before something is stored.
    fn is_zero(&self, index: usize, handle: Handle<Expression>) -> bool {
        match *self.expression(index, handle) {
            Expression::Literal(Literal::F32(value)) => value == 0.0,
            Expression::Literal(Literal::AbstractFloat(value)) => value == 0.0,
            Expression::ZeroValue(_) => true,
            Expression::Load { pointer } => self.local(index, pointer).is_some_and(|(local, _)| {
                self.bodies[index].function.local_variables[local].init.is_none()
                    && self.bodies[index].stores[&local].iter().all(|(member, _)| member.is_some())
            }),
            _ => false,
        }
    }

    fn is_sum_of_products(&self, index: usize, handle: Handle<Expression>) -> bool {
        let is_matrix = |handle| matches!(self.inner(index, handle), TypeInner::Matrix { .. });
        let is_scalar = |handle| matches!(self.inner(index, handle), TypeInner::Scalar(_));
        match *self.expression(index, handle) {
            Expression::Binary { op: BinaryOperator::Add | BinaryOperator::Subtract, left, right } => {
                self.is_float(index, handle) && [left, right].iter().any(|&side| self.may_be_product(index, side))
            }
            Expression::Binary { op: BinaryOperator::Multiply, left, right } => {
                (is_matrix(left) && !is_scalar(right)) || (is_matrix(right) && !is_scalar(left))
            }
            Expression::Binary { op: BinaryOperator::Modulo, .. } => self.is_float(index, handle),
            Expression::Math { fun, arg, .. } => match fun {
                MathFunction::Dot => self.is_float(index, arg),
                MathFunction::Outer
                | MathFunction::Cross
                | MathFunction::Distance
                | MathFunction::Length
                | MathFunction::Normalize
                | MathFunction::FaceForward
                | MathFunction::Reflect
                | MathFunction::Refract
                | MathFunction::Mix
                | MathFunction::SmoothStep
                | MathFunction::Inverse
                | MathFunction::Determinant => true,
                _ => false,
            },
            _ => false,
        }
    }
}
