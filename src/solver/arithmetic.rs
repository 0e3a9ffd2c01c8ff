//! How much arithmetic a kernel does, counted in its text as naga has parsed it, so that the count cannot go stale: the
//! third of what a kernel costs, beside its bytes and its dispatch.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, MathFunction, Module, ScalarKind, Statement, TypeInner,
};

/// Floating-point operations of one way through a kernel's text: sums, products, quotients, roots and each other
/// function count one a number. Loops are gone through once, of two branches the longer one, and those that pipeline
/// constants switch off are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Of the entry point, but for the functions that solve a constraint where a kernel has several kinds:
    /// `solve_distance`.
    pub main: u64,
    /// Of each function that it has, by name.
    pub functions: Vec<(String, u64)>,
}

impl Operations {
    /// Of a module with one entry point. `constants`: values of its pipeline constants.
    pub fn of(module: &Module, info: &naga::valid::ModuleInfo, constants: &[(&str, f64)]) -> Self {
        let counter = Counter { module, info, constants };
        let main = module
            .entry_points
            .first()
            .map_or(0, |entry| counter.block(&entry.function, info.get_entry_point(0), &entry.function.body));
        let functions = module.functions.iter();
        let functions =
            functions.filter_map(|(handle, function)| Some((function.name.clone()?, counter.function(handle))));
        Self { main, functions: functions.collect() }
    }

    /// Of solving so many constraints of each kind once.
    pub fn of_constraints<'a>(&self, counts: impl IntoIterator<Item = (&'a str, u64)>) -> u64 {
        counts.into_iter().map(|(kind, count)| count * self.of_function(&format!("{SOLVE}{kind}"))).sum()
    }

    /// Of a function that the kernel has; nothing if it has none of that name.
    pub fn of_function(&self, name: &str) -> u64 {
        let found = self.functions.iter().find(|(other, _)| other == name);
        found.map_or(0, |(_, operations)| *operations)
    }
}

const SOLVE: &str = "solve_";

fn is_solve(name: &str) -> bool {
    name.starts_with(SOLVE)
}

struct Counter<'a> {
    module: &'a Module,
    info: &'a naga::valid::ModuleInfo,
    constants: &'a [(&'a str, f64)],
}

impl Counter<'_> {
    fn function(&self, handle: Handle<Function>) -> u64 {
        let function = &self.module.functions[handle];
        self.block(function, &self.info[handle], &function.body)
    }

    fn block(&self, function: &Function, info: &naga::valid::FunctionInfo, block: &Block) -> u64 {
        block.iter().map(|statement| self.statement(function, info, statement)).sum()
    }

    fn statement(&self, function: &Function, info: &naga::valid::FunctionInfo, statement: &Statement) -> u64 {
        let of = |block| self.block(function, info, block);
        match statement {
            Statement::Emit(range) => range.clone().map(|expression| self.expression(function, info, expression)).sum(),
            Statement::Block(block) => of(block),
            Statement::If { condition, accept, reject } => match self.decided(function, *condition) {
                Some(true) => of(accept),
                Some(false) => of(reject),
                None => of(accept).max(of(reject)),
            },
            Statement::Switch { cases, .. } => cases.iter().map(|case| of(&case.body)).max().unwrap_or(0),
            Statement::Loop { body, continuing, .. } => of(body) + of(continuing),
            Statement::Call { function: called, .. } => {
                let name = self.module.functions[*called].name.as_deref().unwrap_or("");
                if is_solve(name) { 0 } else { self.function(*called) }
            }
            _ => 0,
        }
    }

    /// What a condition is by the pipeline constants alone.
    fn decided(&self, function: &Function, condition: Handle<Expression>) -> Option<bool> {
        match &function.expressions[condition] {
            Expression::Literal(naga::Literal::Bool(value)) => Some(*value),
            Expression::Override(handle) => {
                let constant = &self.module.overrides[*handle];
                let set = self.constants.iter().find(|(name, _)| constant.name.as_deref() == Some(name));
                let initial = || match self.module.global_expressions[constant.init?] {
                    Expression::Literal(naga::Literal::Bool(value)) => Some(value),
                    _ => None,
                };
                set.map(|(_, value)| *value != 0.0).or_else(initial)
            }
            Expression::Unary { op: naga::UnaryOperator::LogicalNot, expr } => Some(!self.decided(function, *expr)?),
            _ => None,
        }
    }

    fn expression(&self, function: &Function, info: &naga::valid::FunctionInfo, handle: Handle<Expression>) -> u64 {
        let numbers = |handle: Handle<Expression>| match info[handle].ty.inner_with(&self.module.types) {
            TypeInner::Scalar(scalar) if scalar.kind == ScalarKind::Float => 1,
            TypeInner::Vector { size, scalar } if scalar.kind == ScalarKind::Float => *size as u64,
            TypeInner::Matrix { columns, rows, .. } => *columns as u64 * *rows as u64,
            _ => 0,
        };
        match &function.expressions[handle] {
            Expression::Binary {
                op: BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Divide, ..
            } => numbers(handle),
            Expression::Binary { op: BinaryOperator::Multiply, left, right } => {
                let is_matrix = |side: Handle<Expression>| {
                    matches!(info[side].ty.inner_with(&self.module.types), TypeInner::Matrix { .. })
                };
                // Of a matrix each number of the product is a sum of products.
                let inner = match (is_matrix(*left), is_matrix(*right)) {
                    (false, false) => return numbers(handle),
                    (true, true) => 3,
                    (true, false) => numbers(*right),
                    (false, true) => numbers(*left),
                };
                if inner <= 1 { numbers(handle) } else { numbers(handle) * (2 * inner - 1) }
            }
            Expression::Math { fun, arg, .. } => {
                let n = numbers(*arg);
                match fun {
                    MathFunction::Dot => (2 * n).saturating_sub(1),
                    MathFunction::Length => 2 * n,
                    MathFunction::Distance | MathFunction::Normalize => 3 * n,
                    MathFunction::Cross => 9,
                    MathFunction::Mix => 3 * n,
                    MathFunction::Fma => 2 * n,
                    MathFunction::Abs => 0,
                    _ => numbers(handle),
                }
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(body: &str, constants: &[(&str, f64)]) -> Operations {
        let text = format!(
            "override ON: bool = false;
             @group(0) @binding(0) var<storage, read_write> a: array<f32>;
             @group(0) @binding(1) var<storage, read_write> v: array<vec3f>;
             fn twice(x: f32) -> f32 {{ return x + x; }}
             fn solve_distance(x: f32) -> f32 {{ return sqrt(x) / (x + 1.0); }}
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{ let i = id.x * 3u + 1u; {body} }}"
        );
        let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), Default::default());
        let info = validator.validate(&module).unwrap_or_else(|error| panic!("{error:?}"));
        Operations::of(&module, &info, constants)
    }

    /// Each is what one counts by hand; whole numbers, comparisons and moves are none.
    #[test]
    fn text_is_counted() {
        for (body, operations) in [
            ("", 0),
            ("a[i] = a[i + 1u] * a[i] + 1.0;", 2),
            ("v[i] = v[i] * a[i] - v[i + 1u];", 6),
            ("a[i] = dot(v[i], v[i]);", 5),
            ("a[i] = length(v[i]) / sqrt(a[i]);", 8),
            ("v[i] = cross(v[i], v[i + 1u]);", 9),
            ("a[i] = max(a[i], 0.0);", 1),
            ("a[i] = twice(a[i]) * 2.0;", 2),
            ("if a[i] > 0.0 { a[i] = a[i] + 1.0; } else { v[i] = v[i] + v[i]; }", 3),
            ("for (var k = 0u; k < 10u; k++) { a[k] = a[k] * 2.0; }", 1),
            ("let m = mat3x3f(v[0], v[1], v[2]); v[i] = m * v[i];", 15),
        ] {
            assert_eq!(count(body, &[]).main, operations, "{body}");
        }
    }

    /// What a pipeline constant switches off is not counted; what solves a constraint of one of several kinds is told
    /// by itself.
    #[test]
    fn what_is_off_is_left_out() {
        let body = "if ON { a[i] = a[i] * 3.0; } if !ON { v[i] = v[i] + v[i]; } a[i] = solve_distance(a[i]);";
        assert_eq!(count(body, &[]).main, 3);
        let on = count(body, &[("ON", 1.0)]);
        assert_eq!((on.main, on.of_constraints([("distance", 10), ("angle", 5)])), (1, 30));
        assert_eq!((on.of_function("twice"), on.of_function("thrice")), (1, 0));
    }
}
