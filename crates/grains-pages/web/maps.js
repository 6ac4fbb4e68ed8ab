// Draws maps: fields over a plane of cells, of which the reader chooses one, with a colour bar and a value to read off.
'use strict';
(() => {
  const FONT = '13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
  // Room in pixels beside the cells, for numbers and names of the axes.
  const ROOM = { left: 78, right: 14, top: 10, bottom: 48 };

  // Round numbers inside a range, some five of them.
  const ticks = (low, high) => {
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= 0.999 * rough);
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
  };
  // Colours are those of the bar in the style of the page.
  const colours = (bar) => [...getComputedStyle(bar).backgroundImage.matchAll(/rgb\((\d+), (\d+), (\d+)\)/g)].map((found) => found.slice(1).map(Number));
  const between = (stops, part) => {
    const at = Math.min(Math.max(part, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
    return stops[k].map((channel, c) => channel + (at - k) * (stops[k + 1][c] - channel));
  };

  for (const figure of document.querySelectorAll('figure[data-map]')) {
    const data = page.data(figure.dataset.map);
    const [x, y] = [data.x, data.y].map(({ label, places }) => {
      const half = 0.5 * (places[places.length - 1] - places[0]) / (places.length - 1);
      return { label, count: places.length, low: places[0] - half, high: places[places.length - 1] + half };
    });
    const canvas = page.element('canvas', {}), bar = page.element('div', { class: 'viridis' }), marks = page.element('div', { class: 'ticks' });
    const choice = page.element('select', {}, ...data.fields.map((field, k) => page.element('option', { value: k }, field.label)));
    const readout = page.element('output', {}, ''), csv = page.element('button', { type: 'button', class: 'csv', title: 'saves all fields of this map' }, 'CSV');
    const sheet = figure.querySelector('.sheet');
    sheet.replaceChildren(canvas);
    figure.querySelector('.controls').append(
      page.element('label', {}, 'field ', choice), csv, page.element('div', { class: 'scale' }, bar, marks), readout,
    );
    const field = () => data.fields[choice.value];
    let box;

    const draw = () => {
      const { values } = field();
      const known = values.filter((v) => v !== null);
      const [low, high] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)];
      const stops = colours(bar);
      const cells = new OffscreenCanvas(x.count, y.count), inside = cells.getContext('2d'), pixels = inside.createImageData(x.count, y.count);
      values.forEach((v, k) => {
        if (v === null) return;
        const line = y.count - 1 - Math.floor(k / x.count), at = 4 * (line * x.count + (k % x.count));
        pixels.data.set([...between(stops, high > low ? (v - low) / (high - low) : 0.5), 255], at);
      });
      inside.putImageData(pixels, 0, 0);
      // Cells keep their shape where the map is neither very long nor very high.
      const width = sheet.clientWidth, across = width - ROOM.left - ROOM.right;
      const shape = Math.min(Math.max((y.high - y.low) / (x.high - x.low), 0.25), 2);
      const up = Math.min(shape * across, 460), wide = Math.min(across, up / shape);
      const height = up + ROOM.top + ROOM.bottom, sharp = window.devicePixelRatio || 1;
      [canvas.width, canvas.height] = [width * sharp, height * sharp];
      [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
      box = { left: ROOM.left, top: ROOM.top, wide, up };
      const context = canvas.getContext('2d');
      context.scale(sharp, sharp);
      context.fillStyle = page.colour('--shade');
      context.fillRect(box.left, box.top, wide, up);
      context.imageSmoothingEnabled = false;
      context.drawImage(cells, box.left, box.top, wide, up);
      [context.strokeStyle, context.fillStyle, context.font] = [page.colour('--faint'), page.colour('--ink'), FONT];
      context.strokeRect(box.left, box.top, wide, up);
      [context.textAlign, context.textBaseline] = ['center', 'top'];
      ticks(x.low, x.high).forEach((tick) => {
        const at = box.left + wide * (tick - x.low) / (x.high - x.low);
        context.fillRect(at, box.top + up, 1, 4);
        context.fillText(page.number(tick, 4), at, box.top + up + 8);
      });
      context.fillText(x.label, box.left + 0.5 * wide, box.top + up + 28);
      [context.textAlign, context.textBaseline] = ['right', 'middle'];
      ticks(y.low, y.high).forEach((tick) => {
        const at = box.top + up * (y.high - tick) / (y.high - y.low);
        context.fillRect(box.left - 4, at, 4, 1);
        context.fillText(page.number(tick, 4), box.left - 8, at);
      });
      context.save();
      context.translate(12, box.top + 0.5 * up);
      context.rotate(-0.5 * Math.PI);
      context.textAlign = 'center';
      context.fillText(y.label, 0, 0);
      context.restore();
      const parts = high > low ? [0, 0.25, 0.5, 0.75, 1] : [0];
      const shown = (v) => page.number(Math.abs(v) < 1e-3 * (high - low) ? 0 : v, 3);
      marks.replaceChildren(...parts.map((part) => page.element('span', {}, shown(low + part * (high - low)))));
      figure.dataset.state = 'live';
    };

    const read = (event) => {
      const [column, line] = [Math.floor(x.count * (event.offsetX - box.left) / box.wide), Math.floor(y.count * (box.top + box.up - event.offsetY) / box.up)];
      const hits = column >= 0 && column < x.count && line >= 0 && line < y.count;
      const value = hits ? field().values[line * x.count + column] : undefined;
      const at = () => `${page.number(data.x.places[column], 4)}, ${page.number(data.y.places[line], 4)}: `;
      readout.textContent = hits ? at() + (value === null ? 'no value' : page.number(value, 5)) : '';
    };
    const save = () => {
      const head = [x.label, y.label, ...data.fields.map((one) => one.label)];
      const cell = (_, k) => [data.x.places[k % x.count], data.y.places[Math.floor(k / x.count)], ...data.fields.map((one) => one.values[k])];
      page.saveTable(data.title, [head, ...Array.from({ length: x.count * y.count }, cell)]);
    };
    choice.addEventListener('change', draw);
    canvas.addEventListener('pointermove', read);
    csv.addEventListener('click', save);
    page.onTheme(draw);
    window.addEventListener('resize', draw);
    draw();
  }
})();
