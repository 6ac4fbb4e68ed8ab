//! The command as a process, and the guide that names its figures: one program, since each is linked with all that
//! xtask needs.
mod guide;
mod list;
mod reproduce;
