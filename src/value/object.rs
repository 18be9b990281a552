//! Values that only who made them can read.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Something opaque that travels from one operator to another; equal only to itself.
#[derive(Clone)]
pub struct Object(Arc<Inner>);

struct Inner {
    name: Box<str>,
    content: Box<dyn Any + Send + Sync>,
}

impl Object {
    /// Wraps a value; `name` says what it is, for messages.
    pub fn new(name: &str, content: impl Any + Send + Sync) -> Self {
        Self(Arc::new(Inner {
            name: name.into(),
            content: Box::new(content),
        }))
    }

    /// The value, for who knows its type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.content.downcast_ref()
    }
}

impl Default for Object {
    /// Nothing: every default is equal.
    fn default() -> Self {
        static NOTHING: std::sync::LazyLock<Object> =
            std::sync::LazyLock::new(|| Object::new("nothing", ()));
        NOTHING.clone()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_as_what_it_is_and_equals_only_itself() {
        let object = Object::new("a count", 3_u32);
        assert_eq!(object.get::<u32>(), Some(&3));
        assert_eq!(object.get::<i32>(), None);
        assert_eq!(object, object.clone());
        assert_ne!(object, Object::new("a count", 3_u32));
        assert_eq!(format!("{object:?}"), "a count");
    }
}
