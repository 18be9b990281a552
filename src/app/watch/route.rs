//! What a path depends on in the file system.
//!
//! A file is reached through directories and symbolic links, and replacing any of the links, or the file in its
//! directory, changes what the path shows. A [`Route`] names them all by physical path: that is how the system
//! reports them, whatever path was asked for.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// More links than this in one path are taken for a loop, as the kernel does.
const MAX_LINKS: usize = 40;

/// The names whose change can change what a path shows, and the directories that hold them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Route {
    /// Links on the way, and the file itself or the first component that is missing.
    pub(super) names: BTreeSet<PathBuf>,
    /// Existing directories to watch for these names.
    pub(super) directories: BTreeSet<PathBuf>,
}

impl Route {
    /// Walks `path` as the kernel would.
    pub(super) fn of(path: &Path) -> Self {
        let mut route = Self::default();
        let Ok(path) = std::path::absolute(path) else {
            return route;
        };
        let mut at = PathBuf::new();
        let mut ahead = VecDeque::new();
        queue(&path, &mut ahead);
        let mut links = 0;
        while let Some(step) = ahead.pop_front() {
            let name = match step {
                Step::Root(root) => {
                    at = root;
                    continue;
                }
                Step::Up => {
                    at.pop();
                    continue;
                }
                Step::Down(name) => at.join(name),
            };
            let link = std::fs::symlink_metadata(&name).map(|m| m.file_type().is_symlink());
            if matches!(link, Ok(false)) && !ahead.is_empty() {
                at = name;
                continue;
            }
            route.directories.insert(at.clone());
            route.names.insert(name.clone());
            if !matches!(link, Ok(true)) || links == MAX_LINKS {
                return route;
            }
            links += 1;
            let Ok(target) = std::fs::read_link(&name) else {
                return route;
            };
            let rest = std::mem::take(&mut ahead);
            queue(&target, &mut ahead);
            ahead.extend(rest);
        }
        route
    }
}

enum Step {
    Root(PathBuf),
    Up,
    Down(OsString),
}

fn queue(path: &Path, steps: &mut VecDeque<Step>) {
    let mut root = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => root.push(component),
            Component::CurDir => {}
            Component::ParentDir => steps.push_back(Step::Up),
            Component::Normal(name) => steps.push_back(Step::Down(name.to_owned())),
        }
    }
    if !root.as_os_str().is_empty() {
        steps.push_front(Step::Root(root));
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test should panic")]

    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        (folder, path)
    }

    fn names(route: &Route) -> Vec<&Path> {
        route.names.iter().map(PathBuf::as_path).collect()
    }

    #[test]
    fn a_plain_file_depends_on_its_name_in_its_directory() {
        let (_keep, dir) = folder();
        let file = dir.join("a.lua");
        std::fs::write(&file, "x").unwrap();
        let route = Route::of(&file);
        assert_eq!(names(&route), [file.as_path()]);
        assert_eq!(route.directories, [dir].into());
    }

    #[test]
    fn dots_on_the_way_are_walked() {
        let (_keep, dir) = folder();
        std::fs::create_dir(dir.join("sub")).unwrap();
        std::fs::write(dir.join("a.lua"), "x").unwrap();
        let route = Route::of(&dir.join("sub/.././a.lua"));
        assert_eq!(names(&route), [dir.join("a.lua")]);
    }

    #[test]
    fn a_link_is_watched_where_it_lies_and_where_it_leads() {
        let (_keep, dir) = folder();
        std::fs::create_dir(dir.join("real")).unwrap();
        std::fs::write(dir.join("real/a.lua"), "x").unwrap();
        symlink("real/a.lua", dir.join("link.lua")).unwrap();
        let route = Route::of(&dir.join("link.lua"));
        assert_eq!(
            names(&route),
            [dir.join("link.lua"), dir.join("real/a.lua")]
        );
        assert_eq!(route.directories, [dir.clone(), dir.join("real")].into());
    }

    #[test]
    fn a_linked_directory_on_the_way_counts_too() {
        let (_keep, dir) = folder();
        std::fs::create_dir(dir.join("one")).unwrap();
        std::fs::write(dir.join("one/a.lua"), "x").unwrap();
        symlink("one", dir.join("current")).unwrap();
        let route = Route::of(&dir.join("current/a.lua"));
        assert_eq!(names(&route), [dir.join("current"), dir.join("one/a.lua")]);
    }

    #[test]
    fn a_missing_folder_is_awaited_in_the_nearest_that_exists() {
        let (_keep, dir) = folder();
        let route = Route::of(&dir.join("not/yet/a.lua"));
        assert_eq!(names(&route), [dir.join("not")]);
        assert_eq!(route.directories, [dir].into());
    }

    #[test]
    fn a_loop_of_links_ends() {
        let (_keep, dir) = folder();
        symlink("b", dir.join("a")).unwrap();
        symlink("a", dir.join("b")).unwrap();
        assert_eq!(
            names(&Route::of(&dir.join("a"))),
            [dir.join("a"), dir.join("b")]
        );
    }
}
