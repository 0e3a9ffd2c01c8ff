//! A kernel is a list of WGSL files joined in order, and the lines that say which constraint the glue calls. Its
//! bindings are read off the text, so that a buffer's name in WGSL is its name in Rust and nothing is declared twice.

use std::borrow::Cow;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use thiserror::Error;

use crate::gpu::buffers::{BufferRange, Buffers};

/// Why a kernel could not be compiled or bound. With the shipped kinds that does not happen; it is how the author of a
/// kind learns what is wrong with its WGSL.
#[derive(Debug, Error)]
pub enum KernelError {
    /// The text is no valid WGSL.
    #[error("kernel {kernel}: {place}: {message}")]
    Invalid {
        /// Label of the kernel.
        kernel: String,
        /// File below `shaders/` and line in it; a kind from outside is there as `constraint/NAME.wgsl`.
        place: String,
        /// What is wrong there.
        message: String,
    },
    /// The struct of a kind's WGSL is not its record in Rust.
    #[error(
        "{place}: the struct `{name}` {found}; the record in Rust has {expected}. Give both the same fields in the \
         same order; in Rust fill WGSL's padding with fields whose names begin with `_`"
    )]
    Record {
        /// As in [`KernelError::Invalid`], without a line.
        place: String,
        /// Of the struct.
        name: &'static str,
        /// What it has in WGSL.
        found: String,
        /// What it has in Rust.
        expected: String,
    },
    /// The text declares a binding of which the solver knows nothing; a kind declares none of its own.
    #[error("kernel {kernel} binds `{name}`, but the solver has no buffer of that name")]
    NoBuffer {
        /// Label of the kernel.
        kernel: String,
        /// Name of the variable.
        name: String,
    },
}

/// A WGSL file, or generated lines.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where the text comes from, for error messages: a path below `shaders/`.
    pub path: Cow<'static, str>,
    /// WGSL.
    pub text: Cow<'static, str>,
}

/// A piece from a file of the crate's `shaders` folder.
#[macro_export]
#[doc(hidden)]
macro_rules! shader_piece {
    ($path:literal) => {
        $crate::gpu::Piece {
            path: ::std::borrow::Cow::Borrowed($path),
            text: ::std::borrow::Cow::Borrowed(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $path))),
        }
    };
}

/// The text of a compute kernel with one entry point, `main`.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name in errors and in debuggers of the GPU; it distinguishes the kernels of one solver.
    pub label: String,
    /// What the text is joined of, in this order.
    pub pieces: Vec<Piece>,
}

/// A variable that a kernel binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// In WGSL, and of the buffer in Rust.
    pub name: String,
    /// Of `@binding`; the group is 0.
    pub index: u32,
    /// Uniform, or storage that is read, or read and written.
    pub ty: wgpu::BufferBindingType,
}

impl Kernel {
    /// From the pieces in the order in which they are joined.
    pub fn new(label: impl Into<String>, pieces: Vec<Piece>) -> Self {
        Self { label: label.into(), pieces }
    }

    /// The pieces joined.
    pub fn text(&self) -> String {
        self.pieces.iter().flat_map(|piece| [piece.text.as_ref(), "\n"]).collect()
    }

    /// The file and line of a line (from 1) of the joined text.
    fn place(&self, line: usize) -> String {
        let mut before = 0;
        for piece in &self.pieces {
            let lines = piece.text.matches('\n').count() + 1;
            if line <= before + lines {
                return format!("{}:{}", piece.path, line - before);
            }
            before += lines;
        }
        "end of the last file".to_string()
    }

    /// Parses and validates the kernel; needs no device.
    ///
    /// # Errors
    /// If the text is no valid WGSL; with the file and the line that it comes from.
    pub fn validate(&self) -> Result<naga::Module, KernelError> {
        let text = self.text();
        let invalid = |line: Option<u32>, message: String| KernelError::Invalid {
            kernel: self.label.clone(),
            place: line.map_or_else(|| "unknown place".to_string(), |line| self.place(line as usize)),
            message,
        };
        let module = naga::front::wgsl::parse_str(&text)
            .map_err(|error| invalid(error.location(&text).map(|at| at.line_number), error.message().to_string()))?;
        Validator::new(ValidationFlags::all(), Capabilities::default()).validate(&module).map_err(|error| {
            let line = error.spans().next().map(|(span, _)| span.location(&text).line_number);
            invalid(line, causes(&error))
        })?;
        Ok(module)
    }

    /// The variables that the kernel binds, by index.
    fn bindings(module: &naga::Module) -> Vec<Binding> {
        let mut bindings: Vec<Binding> = module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| {
                let ty = binding_type(variable)?;
                let index = variable.binding.as_ref()?.binding;
                Some(Binding { name: variable.name.clone().unwrap_or_default(), index, ty })
            })
            .collect();
        bindings.sort_by_key(|binding| binding.index);
        bindings
    }

    /// Compiles the kernel. `constants` sets those of its pipeline constants that it has.
    pub(crate) fn compile(&self, device: &wgpu::Device, constants: &[(&str, bool)]) -> Result<Pipeline, KernelError> {
        let module = self.validate()?;
        let bindings = Self::bindings(&module);
        let entries: Vec<wgpu::BindGroupLayoutEntry> = bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.index,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: binding.ty,
                    // Parameters of a substep and of a batch.
                    has_dynamic_offset: binding.ty == wgpu::BufferBindingType::Uniform,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let label = Some(self.label.as_str());
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let has = |name: &str| module.overrides.iter().any(|(_, constant)| constant.name.as_deref() == Some(name));
        let constants: Vec<(&str, f64)> =
            constants.iter().filter(|(name, _)| has(name)).map(|&(name, value)| (name, f64::from(value))).collect();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(self.text().into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                // Kernels write what they read of it. On software devices zeroing what islands take is more work than
                // their frame.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        Ok(Pipeline { label: self.label.clone(), pipeline, layout, bindings })
    }
}

/// What a variable binds.
fn binding_type(variable: &naga::GlobalVariable) -> Option<wgpu::BufferBindingType> {
    match variable.space {
        naga::AddressSpace::Uniform => Some(wgpu::BufferBindingType::Uniform),
        naga::AddressSpace::Storage { access } => {
            Some(wgpu::BufferBindingType::Storage { read_only: !access.contains(naga::StorageAccess::STORE) })
        }
        _ => None,
    }
}

/// The message of an error and of all that caused it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// A compiled kernel.
pub struct Pipeline {
    label: String,
    pub(crate) pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<Binding>,
}

impl Pipeline {
    /// Binds the buffers that bear the names of the kernel's variables; `own` is looked up before `shared`.
    pub fn bind(
        &self,
        device: &wgpu::Device,
        shared: &Buffers,
        own: &[(&str, BufferRange)],
    ) -> Result<wgpu::BindGroup, KernelError> {
        let mut entries = Vec::new();
        for binding in &self.bindings {
            let own = own.iter().find(|(name, _)| *name == binding.name).map(|(_, range)| *range);
            let missing = || KernelError::NoBuffer { kernel: self.label.clone(), name: binding.name.clone() };
            let range = own.or_else(|| shared.get(&binding.name)).ok_or_else(missing)?;
            entries.push(wgpu::BindGroupEntry { binding: binding.index, resource: range.resource() });
        }
        let descriptor =
            wgpu::BindGroupDescriptor { label: Some(&self.label), layout: &self.layout, entries: &entries };
        Ok(device.create_bind_group(&descriptor))
    }
}
