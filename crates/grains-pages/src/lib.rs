#![doc = include_str!("../README.md")]

pub mod error;
pub mod figure;
mod font;
pub mod map;
pub mod number;
pub mod picture;
pub mod plot;
mod png;
pub mod view;
pub mod web;
