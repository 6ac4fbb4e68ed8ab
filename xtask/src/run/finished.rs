//! Computed figures in the form in which they are written to files and to the page.
use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::model::{Artifact, Claim, Figure, Table, is_id};

/// Picture of a figure: an SVG text and, for a plot, its data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Picture {
    /// Name of the SVG file.
    pub(crate) name: String,
    pub(crate) svg: String,
    /// Data of a plot as JSON for `plots.js`; `None` for a drawing, which has no axes to zoom.
    pub(crate) data: Option<String>,
}

/// Three-dimensional view that the reader of the page can turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Scenery {
    /// Id of the view, unique on the page.
    pub(crate) id: String,
    pub(crate) title: String,
    /// Kind of the view (`grains`, `network` or `floors`), which determines its size on the page.
    pub(crate) kind: String,
    /// Data of the view as JSON for `views.js`.
    pub(crate) data: String,
}

/// Computed figure with the texts of its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) caption: String,
    pub(crate) pictures: Vec<Picture>,
    pub(crate) views: Vec<Scenery>,
    pub(crate) csv: String,
    pub(crate) claims: Vec<Claim>,
    pub(crate) parameters: serde_json::Value,
}

impl Finished {
    /// Makes the texts of all files of a figure.
    ///
    /// # Errors
    /// Ids that are no valid file names or occur twice, columns of unequal length, a failing backend.
    pub(crate) fn new(figure: Figure, artifact: Artifact) -> Result<Self> {
        let mut seen = BTreeSet::new();
        let mut named = |id: &str| {
            ensure!(is_id(id), "plot id {id:?} is not made of a-z, 0-9 and '-' alone");
            ensure!(seen.insert(id.to_owned()), "plot id {id:?} occurs twice in the figure");
            Ok(format!("{}-{id}", figure.id))
        };
        let mut pictures = Vec::new();
        for drawing in &artifact.drawings {
            pictures.push(Picture { name: named(drawing.id)? + ".svg", svg: drawing.svg(), data: None });
        }
        for plot in &artifact.plots {
            let svg = plot.svg().with_context(|| format!("drawing plot {:?}", plot.id))?;
            let data = plot.data().to_string();
            pictures.push(Picture { name: named(&plot.id)? + ".svg", svg, data: Some(data) });
        }
        let mut views = Vec::new();
        for view in artifact.views {
            let data = view.data();
            let kind = data["kind"].as_str().unwrap_or_default().into();
            views.push(Scenery { id: named(view.id)?, kind, data: data.to_string(), title: view.title });
        }
        let table = artifact.table.unwrap_or_else(|| Table::of_plots(&artifact.plots));
        let csv = table.csv().context("writing the CSV text")?;
        let Artifact { caption, claims, parameters, .. } = Artifact { views: Vec::new(), table: None, ..artifact };
        Ok(Self { caption, pictures, views, csv, claims, parameters })
    }
}
