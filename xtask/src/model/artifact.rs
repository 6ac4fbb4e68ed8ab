//! Result of a figure's function: all contents of the figure before files are made of them.
use grains_pages::plot::Plot;

use crate::model::claim::Claim;
use crate::model::drawing::Drawing;
use crate::model::table::Table;
use crate::model::view::View;

/// Contents of a computed figure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Artifact {
    /// Caption, plain text of one paragraph: what was computed, and what to look at.
    pub(crate) caption: String,
    /// Drawings of the figure, which the page shows before the plots.
    pub(crate) drawings: Vec<Drawing>,
    pub(crate) plots: Vec<Plot>,
    /// Interactive three-dimensional views on the page; a drawing shows one side of each in print.
    pub(crate) views: Vec<View>,
    /// Table for the CSV file; without it the CSV file has the data of the plots.
    pub(crate) table: Option<Table>,
    pub(crate) claims: Vec<Claim>,
    /// Parameters with which the figure can be computed again, with units in their names.
    pub(crate) parameters: serde_json::Value,
}

impl Artifact {
    pub(crate) fn new(caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..Self::default() }
    }

    pub(crate) fn drawing(mut self, drawing: Drawing) -> Self {
        self.drawings.push(drawing);
        self
    }

    pub(crate) fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    pub(crate) fn view(mut self, view: View) -> Self {
        self.views.push(view);
        self
    }

    pub(crate) fn table(mut self, table: Table) -> Self {
        self.table = Some(table);
        self
    }

    pub(crate) fn claim(mut self, claim: Claim) -> Self {
        self.claims.push(claim);
        self
    }

    pub(crate) fn plots(mut self, plots: impl IntoIterator<Item = Plot>) -> Self {
        self.plots.extend(plots);
        self
    }

    pub(crate) fn claims(mut self, claims: impl IntoIterator<Item = Claim>) -> Self {
        self.claims.extend(claims);
        self
    }

    /// Marks all claims so far as results of shortened computations; see [`Claim::shortened`].
    pub(crate) fn shortened(mut self, how: Option<&str>) -> Self {
        self.claims.iter_mut().for_each(|claim| claim.shortened = how.map(Into::into));
        self
    }

    /// Sets the parameters of the figure, usually by `serde_json::json!({ … })`.
    pub(crate) fn parameters(mut self, parameters: serde_json::Value) -> Self {
        self.parameters = parameters;
        self
    }
}
