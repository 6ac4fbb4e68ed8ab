// Saves the numbers of plots, and turns a still plot into one that can be zoomed and read off, and back.
'use strict';
(() => {
  // Labels are marked up; a table has their text.
  const plain = (markup) => new DOMParser().parseFromString(markup, 'text/html').body.textContent;
  const even = (one) => one.points.filter((_, k) => k % 2 === 0);
  const odd = (one) => one.points.filter((_, k) => k % 2 === 1);

  // A column for each series where all have the same x, else a row for each point with the name of its series.
  const table = (data) => {
    const [x, y] = [data.x, data.y].map((axis) => plain(axis.label));
    const [, quantity, unit] = /^(.*?)( \[[^\]]*\])?$/s.exec(y);
    const xs = data.series.map(even);
    const names = data.series.map((one) => plain(one.name) || quantity);
    if (xs.every((one) => one.length === xs[0].length && one.every((v, k) => v === xs[0][k]))) {
      const ys = data.series.map(odd);
      const rows = xs[0].map((v, k) => [v, ...ys.map((one) => one[k])]);
      return [[x, ...names.map((name) => name + (unit || ''))], ...rows.filter((row) => row[0] !== null)];
    }
    const rows = data.series.flatMap((one, k) => odd(one).map((v, i) => [names[k], xs[k][i], v]));
    return [['series', x, y], ...rows.filter((row) => row[1] !== null)];
  };
  for (const figure of document.querySelectorAll('figure[data-plot]')) {
    const button = figure.querySelector('.csv');
    if (!button) continue;
    const data = () => page.data(figure.dataset.plot);
    button.hidden = false;
    button.addEventListener('click', () => page.saveTable(data().title + (data().thinned ? ' thinned' : ''), table(data())));
  }

  if (typeof Plotly === 'undefined') return;
  const MARKERS = { circle: 'circle-open', triangle: 'triangle-up-open', square: 'square-open', cross: 'x-thin-open' };

  const traces = (data) => {
    const faint = page.colour('--faint');
    const digits = (axis) => (axis.log ? '.5~e' : '.6~g');
    const series = data.series.map((one) => {
      const colour = one.colours[page.isDark() ? 1 : 0];
      return {
        name: one.name || data.y.label,
        showlegend: data.series.length > 1,
        x: even(one),
        y: odd(one),
        mode: [one.line || one.fill ? 'lines' : '', one.marker ? 'markers' : ''].filter(Boolean).join('+') || 'markers',
        fill: one.fill ? 'toself' : one.bars ? 'tozeroy' : 'none',
        fillcolor: one.bars ? `${colour}4d` : page.colour('--band'),
        line: { color: one.fill ? 'rgba(0,0,0,0)' : colour, width: one.points.length > 4000 ? 1 : 1.8, dash: one.pattern || 'solid' },
        marker: { symbol: MARKERS[one.marker] || 'circle', size: one.marker ? 9 : 3, color: colour, line: { width: 1.6, color: colour } },
        hovertemplate: `%{x:${digits(data.x)}}, %{y:${digits(data.y)}}<extra>${one.name}</extra>`,
      };
    });
    const range = (key) => {
      const all = series.flatMap((one) => one[key]).filter((v) => v !== null);
      return [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)];
    };
    const guides = data.guides.map((guide) => {
      const ends = guide.ends || (guide.upright === undefined ? range('x').map((x) => [x, guide.level]) : range('y').map((y) => [guide.upright, y]));
      return {
        name: guide.name, x: ends.map((end) => end[0]), y: ends.map((end) => end[1]), mode: 'lines', hoverinfo: 'name',
        line: { color: faint, width: 1.2, dash: 'dash' },
      };
    });
    return [...series, ...guides];
  };

  const layout = (data, width) => {
    const [ink, line, card] = ['--ink', '--line', '--card'].map(page.colour);
    const axis = (one) => ({
      title: { text: one.label, standoff: 12 }, type: one.log ? 'log' : 'linear', exponentformat: 'power', showexponent: 'all',
      gridcolor: line, linecolor: line, zerolinecolor: line, mirror: true, showline: true, automargin: true, dtick: undefined,
      minexponent: 4, nticks: 7,
    });
    return {
      // With the same name the reader's zoom survives a redraw.
      uirevision: 'kept',
      width, height: Math.max(320, Math.min(480, 0.72 * width)), margin: { l: 60, r: 16, t: 36, b: 56 },
      font: { family: 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif', size: 13, color: ink },
      paper_bgcolor: card, plot_bgcolor: card, xaxis: axis(data.x), yaxis: axis(data.y),
      separators: '.\u2009', legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' }, dragmode: 'zoom', hovermode: 'closest',
    };
  };

  const draw = (figure) => {
    const data = page.data(figure.dataset.plot);
    const live = figure.querySelector('.live');
    if (!live.firstChild) live.append(page.element('figcaption', {}, data.title), page.element('div', {}));
    const config = { displaylogo: false, scrollZoom: true, displayModeBar: true, plotlyServerURL: '', modeBarButtonsToRemove: ['sendChartToCloud', 'lasso2d', 'select2d'] };
    return Plotly.react(live.lastChild, traces(data), layout(data, live.clientWidth), config);
  };

  for (const figure of document.querySelectorAll('figure[data-plot]')) {
    const [still, live, button] = ['.still', '.live', '.zoom'].map((part) => figure.querySelector(part));
    button.hidden = false;
    button.addEventListener('click', async () => {
      const opening = live.hidden;
      still.classList.toggle('off', opening);
      live.hidden = !opening;
      button.textContent = opening ? 'Back to the still plot' : 'Zoom and read off';
      figure.classList.toggle('opened', opening);
      if (opening) await draw(figure);
      else {
        Plotly.purge(live.lastChild);
        live.replaceChildren();
      }
      figure.dataset.state = opening ? 'live' : 'still';
    });
  }
  const again = () => document.querySelectorAll('figure[data-plot][data-state="live"]').forEach(draw);
  page.onTheme(again);
  window.addEventListener('resize', again);
})();
