//! Shaders without a GPU: every kernel parses and validates, every file is used, every shared struct has one layout.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use pliant::constraint::{ALL, Kind};
use pliant::layout::{Field, Record};
use pliant::render::{Element, heat_kernels};
use pliant::solver::{Kernel, records};

use crate::kinds;

/// Those of the solver and those of the heats of elements.
fn all_kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    [pliant::solver::all_kernels(kinds), heat_kernels(kinds)].concat()
}

fn all_kinds() -> Vec<&'static dyn Kind> {
    ALL.iter().copied().chain(kinds::ALL.iter().copied()).collect()
}

/// Every kernel, of the shipped kinds and of kinds from outside, coloured and by Jacobi, is valid WGSL; all failures are
/// shown at once.
#[test]
fn every_kernel_is_valid() {
    let kernels = all_kernels(&all_kinds());
    assert!(kernels.len() > 10);
    let failures: Vec<String> =
        kernels.iter().filter_map(|kernel| kernel.validate().err()).map(|error| error.to_string()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every kernel has a translation to what Metal and DirectX compile, guarded against what those do with sums.
#[test]
fn every_kernel_translates() {
    use naga::back::{hlsl, msl, pipeline_constants::process_overrides};
    let entry = (naga::ShaderStage::Compute, "main".to_string());
    let translate = |kernel: &Kernel| -> Result<(), String> {
        let module = kernel.validate().map_err(|error| error.to_string())?;
        let failed = |what: &str, error: &dyn std::fmt::Debug| format!("{}: {what}: {error:?}", kernel.label);
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::default());
        let info = validator.validate(&module).map_err(|e| failed("WGSL", &e))?;
        // Those of heats have no substep.
        let has_guard = module.overrides.iter().any(|(_, constant)| constant.name.as_deref() == Some("FAST_MATHS"));
        let guard = has_guard.then(|| ("FAST_MATHS".to_string(), 1.0)).into_iter().collect();
        let (module, info) = process_overrides(&module, &info, Some((entry.0, &entry.1)), &guard)
            .map_err(|error| failed("constants", &error))?;
        let options = msl::Options { lang_version: (2, 4), fake_missing_bindings: true, ..Default::default() };
        let of_entry = msl::PipelineOptions { entry_point: Some(entry.clone()), ..Default::default() };
        let (metal, told) = msl::write_string(&module, &info, &options, &of_entry).map_err(|e| failed("Metal", &e))?;
        told.entry_point_names.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| failed("Metal", &error))?;
        let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
        let of_entry = hlsl::PipelineOptions { entry_point: Some(entry.clone()) };
        let mut text = String::new();
        let told = hlsl::Writer::new(&mut text, &options, &of_entry).write(&module, &info, None);
        let names = told.map_err(|error| failed("DirectX", &error))?.entry_point_names;
        names.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| failed("DirectX", &error))?;
        match metal.contains("kernel void") && text.contains("[numthreads(") {
            true => Ok(()),
            false => Err(failed("no entry", &"")),
        }
    };
    let failures: Vec<String> = all_kernels(&all_kinds()).iter().filter_map(|kernel| translate(kernel).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// No uniform block begins with a vector: lavapipe otherwise compiles kernels with loops over a uniform's number anew
/// for every substep, and keeps them all.
#[test]
fn uniform_blocks_begin_with_a_number() {
    let mut blocks = 0;
    for kernel in all_kernels(&all_kinds()) {
        let module = kernel.validate().unwrap();
        for (_, block) in module.global_variables.iter().filter(|(_, it)| it.space == naga::AddressSpace::Uniform) {
            let mut inner = &module.types[block.ty].inner;
            loop {
                inner = match inner {
                    naga::TypeInner::Struct { members, .. } => &module.types[members[0].ty].inner,
                    naga::TypeInner::Array { base, .. } => &module.types[*base].inner,
                    _ => break,
                };
            }
            assert!(
                matches!(inner, naga::TypeInner::Scalar(_)),
                "{}: {:?} begins with {inner:?}",
                kernel.label,
                block.name
            );
            blocks += 1;
        }
    }
    assert!(blocks > 10);
}

/// Every file of the shader folders belongs to a kernel that the test above validates, under the path that errors name.
#[test]
fn every_shader_file_is_used() {
    let used: BTreeSet<String> = all_kernels(ALL)
        .into_iter()
        .flat_map(|kernel| kernel.pieces.into_iter().map(|piece| piece.path.into_owned()))
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let files = wgsl_files(&root);
    assert!(files.len() > 10, "no shaders in {}", root.display());
    let unused: Vec<_> = files
        .iter()
        .filter_map(|file| file.strip_prefix(&root).ok())
        .filter(|file| !file.starts_with("render"))
        .filter(|file| !used.contains(&file.to_string_lossy().replace('\\', "/")))
        .collect();
    // The glue of arities that no shipped kind has is validated with the kinds of the tests.
    let arities = ["solve/one.wgsl", "solve/three.wgsl", "solve/four.wgsl", "solve/many.wgsl", "lib/corrections.wgsl"];
    let unused: Vec<_> = unused.iter().filter(|file| !arities.iter().any(|arity| file.ends_with(arity))).collect();
    assert!(unused.is_empty(), "{unused:?} belong to no kernel");
}

fn wgsl_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(wgsl_files(&path)),
            false if path.extension().is_some_and(|extension| extension == "wgsl") => files.push(path),
            false => {}
        }
    }
    files
}

/// An error in a shader names the file and the line in it that it comes from, not the line of the joined text.
#[test]
fn errors_name_file_and_line() {
    let mut kernel = all_kernels(ALL).remove(1);
    let last = kernel.pieces.len() - 1;
    let path = kernel.pieces[last].path.to_string();
    let mut lines: Vec<String> = kernel.pieces[last].text.lines().map(str::to_string).collect();
    lines[9] = "this is no WGSL".to_string();
    kernel.pieces[last].text = lines.join("\n").into();
    let message = kernel.validate().unwrap_err().to_string();
    assert!(message.contains(&format!("{path}:10")), "{message}");

    let mut kernel = all_kernels(ALL).remove(1);
    kernel.pieces[0].text = format!("{}\nfn wrong() -> f32 {{ return 1u; }}", kernel.pieces[0].text).into();
    let message = kernel.validate().unwrap_err().to_string();
    assert!(message.contains(kernel.pieces[0].path.as_ref()), "{message}");
}

/// Every struct that Rust uploads equals the WGSL struct of its name in every kernel that has it: field by field, names,
/// offsets, sizes, and the whole.
#[test]
fn records_equal_their_wgsl_structs() {
    fn entry<R: Record>() -> (&'static str, (&'static [Field], usize)) {
        (R::STRUCT, (R::FIELDS, size_of::<R>()))
    }
    let mut records = BTreeMap::from([
        entry::<records::Substep>(),
        entry::<records::Batch>(),
        entry::<records::Material>(),
        entry::<records::Properties>(),
        entry::<records::Drive>(),
        entry::<records::SkinVertex>(),
        entry::<records::Status>(),
        entry::<records::Collider>(),
        entry::<records::Surface>(),
        entry::<records::Contact>(),
        entry::<records::NearContact>(),
        entry::<records::Bound>(),
        entry::<records::Ball>(),
        entry::<records::Wet>(),
        entry::<records::Flowing>(),
        entry::<records::Pour>(),
        entry::<records::DrainBox>(),
        entry::<records::BodyTouch>(),
        entry::<records::SegmentContact>(),
        entry::<records::Pressed>(),
        entry::<records::Carry>(),
        entry::<records::Placed>(),
        entry::<records::RestLaw>(),
        entry::<records::RestFields>(),
        entry::<records::Foil>(),
        entry::<records::Tear>(),
        entry::<records::TearVertex>(),
        entry::<records::Hold>(),
        entry::<records::TearEdge>(),
        entry::<records::Corner>(),
        entry::<records::Seam>(),
        entry::<records::Pointing>(),
        entry::<records::Damped>(),
        entry::<records::Chunk>(),
        entry::<records::RigidMotion>(),
        entry::<records::Sums>(),
        entry::<records::Node>(),
        entry::<records::NetEdge>(),
        entry::<Element>(),
    ]);
    let kinds = all_kinds();
    records.extend(kinds.iter().map(|kind| (kind.record_name(), (kind.record_fields(), kind.record_size()))));

    let mut seen = BTreeSet::new();
    let mut failures = Vec::new();
    for kernel in all_kernels(&kinds) {
        for (name, fields, size) in structs(&kernel) {
            let Some((expected, expected_size)) = records.get(name.as_str()) else { continue };
            let expected: Vec<Field> = expected.iter().copied().filter(|field| !field.name.starts_with('_')).collect();
            let same = expected.len() == fields.len()
                && expected.iter().zip(&fields).all(|(a, b)| (a.name, a.offset, a.size) == (b.0.as_str(), b.1, b.2));
            if !same || *expected_size != size {
                failures.push(format!(
                    "{}: {name}: Rust {expected:?} {expected_size}, WGSL {fields:?} {size}",
                    kernel.label
                ));
            }
            seen.insert(name);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let unseen: Vec<_> = records.keys().filter(|name| !seen.contains(**name)).collect();
    assert!(unseen.is_empty(), "no kernel has {unseen:?}");
}

/// A field of a WGSL struct: name, offset and size.
type WgslField = (String, usize, usize);

/// The structs of a kernel: name, fields, and the size of an array element.
fn structs(kernel: &Kernel) -> Vec<(String, Vec<WgslField>, usize)> {
    let module = kernel.validate().unwrap();
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).unwrap();
    let structure = |(handle, ty): (naga::Handle<naga::Type>, &naga::Type)| {
        let naga::TypeInner::Struct { members, .. } = &ty.inner else { return None };
        let field = |member: &naga::StructMember| {
            let size = layouter[member.ty].size as usize;
            (member.name.clone().unwrap_or_default(), member.offset as usize, size)
        };
        let size = layouter[handle].to_stride() as usize;
        Some((ty.name.clone()?, members.iter().map(field).collect(), size))
    };
    module.types.iter().filter_map(structure).collect()
}
