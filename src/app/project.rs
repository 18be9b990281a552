//! A new project: a folder with a first sketch and what an editor needs to complete names.

use std::fs;
use std::path::Path;

use super::{AppError, say};

/// The files of a new project, by their path in it.
const FILES: &[(&str, &str)] = &[
    ("main.lua", include_str!("../../scripts/new/main.lua")),
    (
        "types/gobo.d.luau",
        include_str!("../../scripts/types/gobo.d.luau"),
    ),
    (".luaurc", include_str!("../../scripts/new/luaurc.json")),
];

/// Makes the folder `name`; refuses one that already holds something.
pub fn create(name: &Path) -> Result<(), AppError> {
    let shown = name.display();
    let wrong = |error: std::io::Error| {
        AppError::Environment(format!("{shown}: can't make the project: {error}"))
    };
    match fs::read_dir(name).map(Iterator::count) {
        Ok(1..) => {
            return Err(AppError::Usage(format!(
                "{shown}: expected a new or empty folder, got one with files in it"
            )));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(AppError::Usage(format!(
                "{shown}: expected a new or empty folder, got a file"
            )));
        }
        _ => {}
    }
    for (path, text) in FILES {
        let path = name.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(wrong)?;
        }
        fs::write(&path, text).map_err(wrong)?;
    }
    let place = fs::canonicalize(name).map_err(wrong)?;
    say(&format!(
        "made {}\nplay it: gobo run {}",
        place.display(),
        name.join("main.lua").display()
    ));
    Ok(())
}
