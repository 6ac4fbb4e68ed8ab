#![doc = include_str!("../README.md")]

pub mod error;
mod font;
pub mod number;
pub mod plot;
mod png;
pub mod view;
pub mod web;
