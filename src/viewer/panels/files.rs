//! The menu of files, and what an opened mesh may be.

use std::path::Path;

use egui::{Button, Color32, RichText, Ui};

use super::Action;
use crate::scene::MeshUse;

/// The menu. `shown`: whether there is a scene; `filming`: whether a film is being made.
pub fn files(ui: &mut Ui, shown: bool, filming: bool, actions: &mut Vec<Action>) {
    ui.menu_button("File", |ui| {
        ui.set_min_width(220.0);
        let record = if filming { "Stop recording" } else { "Record" };
        let entries = [
            ("Open…", "Ctrl+O", "A scene (.toml) or a mesh: .obj .ply .stl .glb .gltf .msh .vtk", Action::Browse),
            (
                "Save scene…",
                "Ctrl+S",
                "The scene with what you changed here: solver, gravity, wind, stiffness, damping, camera. Of two that \
                 are compared the left one",
                Action::Save,
            ),
            ("Screenshot", "S", "The picture as a PNG file, without what is written over it", Action::Screenshot),
            (record, "V", "A film of what the window shows, as an animated PNG", Action::Record),
            ("Folder for pictures…", "", "Where screenshots and films go: first the working directory", {
                Action::ChooseFolder
            }),
        ];
        for (name, key, says, action) in entries {
            let always = matches!(action, Action::Browse | Action::ChooseFolder);
            let button = Button::new(name).shortcut_text(key);
            let response = ui.add_enabled(shown || always, button).on_hover_text(says);
            if response.on_disabled_hover_text("There is no scene yet").clicked() {
                actions.push(action);
                ui.close();
            }
        }
    });
    if filming {
        let label = RichText::new("Stop recording").color(Color32::WHITE);
        let button = Button::new(label).fill(Color32::from_rgb(170, 40, 40));
        if ui.add(button).on_hover_text("A film is being made; this ends it (V)").clicked() {
            actions.push(Action::Record);
        }
    }
}

/// What meshes may be, in words.
const USES: [(MeshUse, &str, &str); 5] = [
    (MeshUse::Cloth, "cloth", "A surface that stretches, bends and falls"),
    (MeshUse::Soft, "soft solid", "Filled with tetrahedra; a closed surface only"),
    (MeshUse::Balloon, "balloon", "A skin that holds its volume; a closed surface only"),
    (MeshUse::Shape, "shape", "A surface that keeps its shape, almost rigid"),
    (MeshUse::Collider, "collider", "A solid that stands still, and a cloth that falls on it; a closed surface only"),
];

/// What the mesh of this path is now, and what it may be.
pub fn mesh_use(ui: &mut Ui, source: &str, now: MeshUse, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        let name = Path::new(source).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        ui.label(RichText::new(name).strong()).on_hover_text(source);
        ui.label("as");
        for (mesh_use, name, says) in USES {
            if ui.selectable_label(mesh_use == now, name).on_hover_text(says).clicked() && mesh_use != now {
                actions.push(Action::Use(mesh_use));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT, Queryable};

    use super::*;

    /// The menu asks for what its entries say, and for nothing of a scene where there is none.
    #[test]
    fn menu_asks() {
        let mut harness = Harness::new_ui_state(
            |ui, state: &mut (bool, bool, Vec<Action>)| files(ui, state.0, state.1, &mut state.2),
            (true, false, Vec::new()),
        );
        for label in ["Open…", "Save scene…", "Screenshot", "Record", "Folder for pictures…"] {
            harness.get_by_label("File").click();
            harness.run();
            harness.get_by_label_contains(label).click();
            harness.run();
        }
        let all = [Action::Browse, Action::Save, Action::Screenshot, Action::Record, Action::ChooseFolder];
        assert_eq!(harness.state().2, all);

        harness.state_mut().1 = true;
        harness.run();
        harness.get_by_label("Stop recording").click();
        harness.run();
        assert_eq!(harness.state().2[5..], [Action::Record]);

        harness.state_mut().0 = false;
        harness.get_by_label("File").click();
        harness.run();
        let is_greyed = |label| harness.get_by_label_contains(label).accesskit_node().is_disabled();
        assert!(is_greyed("Save scene…") && is_greyed("Screenshot") && !is_greyed("Open…"));
    }

    /// Another use of a mesh is asked for by its name, and the present one not again.
    #[test]
    fn meshes_have_uses() {
        let show = |ui: &mut Ui, actions: &mut Vec<Action>| mesh_use(ui, "a/shirt.obj", MeshUse::Cloth, actions);
        let mut harness = Harness::new_ui_state(show, Vec::new());
        assert!(harness.query_by_label("shirt.obj").is_some());
        for label in ["cloth", "balloon", "soft solid"] {
            harness.get_by_label(label).click();
            harness.run();
        }
        assert_eq!(*harness.state(), [Action::Use(MeshUse::Balloon), Action::Use(MeshUse::Soft)]);
    }
}
