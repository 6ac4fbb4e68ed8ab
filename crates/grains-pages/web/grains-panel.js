// Controls of a view of grains, its colour bar or legend, and the words below a saved picture.
'use strict';
const grainPanel = (() => {
  const SPEEDS = [1, 2, 5, 10, 20, 30];
  // Names in a legend: more would take more place than the view.
  const NAMED = 24;
  // Labels whose names are in the legend: all labels of a short list, of a long one those that most grains of the frame
  // have. `more` is the number of other labels in the frame.
  const named = ({ names }, values) => {
    const places = names.map((_, place) => place);
    if (places.length <= NAMED) return { places, more: 0 };
    const counts = new Uint32Array(grainFrames.NONE + 1);
    for (const code of values || []) counts[code] += 1;
    const there = places.filter((place) => counts[place] > 0).sort((a, b) => counts[b] - counts[a]);
    return { places: there.slice(0, NAMED), more: Math.max(there.length - NAMED, 0) };
  };
  const colourOf = (place) => grainShapes.LABELS[place % grainShapes.LABELS.length];

  // Time of a frame with as many decimals as tell one frame from the next: frames are written at the ends of steps, a little
  // before or after the moment that was asked for.
  const MOST_DECIMALS = 6;
  const timeText = ({ frames, timeUnit }, time) => {
    const apart = (frames[frames.length - 1].time - frames[0].time) / Math.max(frames.length - 1, 1);
    const decimals = Math.max(0, Math.ceil(-Math.log10(0.25 * apart) - 1e-9));
    return `${decimals <= MOST_DECIMALS && Math.abs(time) < 1e6 ? time.toFixed(decimals).replace('-', '\u2212') : page.number(time, 4)} ${timeUnit}`;
  };

  const button = (text, title, act) => {
    const element = page.element('button', { type: 'button', title }, text);
    element.addEventListener('click', act);
    return element;
  };
  const select = (name, options, chosen, act) => {
    const element = page.element('select', {}, ...options.map(([value, text]) => page.element('option', { value }, text)));
    element.value = chosen;
    element.addEventListener('change', () => act(element.value));
    return [page.element('label', {}, page.element('span', {}, name), element), element];
  };
  const slider = (name, max, value, act) => {
    const element = page.element('input', { type: 'range', min: 0, max, value, 'aria-label': name });
    element.addEventListener('input', () => act(Number(element.value)));
    return element;
  };
  const toggle = (name, checked, act) => {
    const element = page.element('input', { type: 'checkbox' });
    element.checked = checked;
    element.addEventListener('change', () => act(element.checked));
    return [page.element('label', {}, element, page.element('span', {}, name)), element];
  };
  const row = (...parts) => page.element('div', { class: 'row' }, ...parts);
  const quantity = ({ name, unit }) => (unit ? `${name} (${unit})` : name);

  // Builds the controls. `state` is what the reader has chosen, `does` what follows from a choice.
  const build = (about, has, state, does) => {
    const last = about.frames.length - 1;
    const time = page.element('output', {});
    const play = button('▶ play', 'plays the frames', does.play);
    const frame = slider('frame', last, state.frame, does.frame);
    const [rate] = select('rate', SPEEDS.map((speed) => [speed, `${speed} frames/s`]), state.speed, (speed) => { state.speed = Number(speed); });
    const columns = [...about.columns.map((column, k) => [k, quantity(column)]), [-1, 'one colour']];
    const [colour, colourBox] = select('colour', columns, state.column, (column) => does.column(Number(column)));
    const [range] = select('range', [['all', 'of all frames'], ['frame', 'of this frame']], state.range, does.range);
    const axes = [['', 'nothing'], ['0', 'along x'], ['1', 'along y'], ['2', 'along z']];
    const [cut, cutBox] = select('cut', axes, '', (axis) => does.cut({ axis: axis === '' ? null : Number(axis) }));
    const place = slider('place of the cut', 1000, 1000 * state.cut.at, (at) => does.cut({ at: at / 1000 }));
    const flip = button('⇄ other side', 'shows the grains on the other side of the cut', () => does.cut({ side: -state.cut.side }));
    const where = page.element('output', {});
    const size = slider('size of grains in percent', 100, 100 * state.shrink, (percent) => does.size(Math.max(percent, 1) / 100));
    const toggles = Object.entries({ grains: 'grains', walls: 'walls', contacts: about.contacts.name, bonds: 'bonds' })
      .filter(([key]) => key === 'grains' || has[key])
      .map(([key, name]) => toggle(name, state[key], (on) => does.toggle(key, on))[0]);
    const scale = page.element('div', { class: 'scale' });
    const notes = page.element('p', { class: 'faint hint' });
    const parts = [
      last > 0 ? row(play, frame, time, rate) : row(time),
      row(colour, range), scale,
      row(...toggles, page.element('label', { class: 'long' }, page.element('span', {}, 'size'), size)),
      row(cut, flip, place, where),
      row(button('⟲ reset view', 'back to the first point of view', does.reset), button('⤓ PNG', 'saves the picture', does.save)),
      notes,
      page.element('p', { class: 'faint hint' }, 'Drag or use arrow keys to turn, the wheel or + and − to zoom.'),
    ];
    return {
      parts, notes, scale,
      // Shows what is chosen.
      renew: () => {
        frame.value = state.frame;
        play.textContent = state.playing ? '❚❚ pause' : '▶ play';
        const moment = about.frames[state.frame].time;
        time.textContent = `${moment === null ? '' : `${timeText(about, moment)}, `}${state.frame + 1} of ${last + 1}`;
        frame.setAttribute('aria-valuetext', time.textContent);
        colourBox.value = state.column;
        range.hidden = state.column < 0 || Boolean(about.columns[state.column].names);
        size.value = 100 * state.shrink;
        cutBox.value = state.cut.axis === null ? '' : state.cut.axis;
        [place, flip, where].forEach((part) => { part.hidden = state.cut.axis === null; });
        if (state.cut.axis !== null) {
          where.textContent = `${'xyz'[state.cut.axis]} ${state.cut.side > 0 ? '<' : '>'} ${page.number(does.cutAt(), 3)} ${about.unit}`;
          place.setAttribute('aria-valuetext', where.textContent);
        }
      },
    };
  };

  const FRACTIONS = [0, 0.25, 0.5, 0.75, 1];
  // Ticks that are small beside the range are written as zero: nobody reads such digits off a colour.
  const ticks = ([low, high]) => {
    const values = high > low ? FRACTIONS.map((part) => low + part * (high - low)) : [low];
    return values.map((v) => page.number(Math.abs(v) < 1e-3 * (high - low) ? 0 : v, 3));
  };
  // Colour bar of numbers or legend of labels. `values` are those of the grains.
  const scale = (element, column, range, values) => {
    element.replaceChildren();
    element.hidden = !column;
    if (!column) return;
    if (column.names) {
      const { places, more } = named(column, values);
      const entries = places.map((place) => {
        const swatch = page.element('i', {});
        swatch.style.background = colourOf(place);
        return page.element('span', { class: 'swatch' }, swatch, column.names[place]);
      });
      if (more > 0) entries.push(`and ${more} more`);
      element.append(page.element('div', { class: 'legend' }, ...entries));
    } else if (range[0] <= range[1]) {
      const marks = ticks(range).map((tick) => page.element('span', {}, tick));
      element.append(page.element('div', { class: 'viridis' }), page.element('div', { class: 'ticks' }, ...marks));
    }
    element.append(page.element('div', { class: 'faint' }, quantity(column)));
  };

  // Title, time and colours below the picture, for a reader who has the file alone.
  const CAPTION = 64;
  const { FONT } = grainShapes;
  const caption = (context, { title, time, column, range, values }, width, top) => {
    context.fillStyle = page.colour('--ink');
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
    context.font = `600 14px ${FONT}`;
    const half = 0.5 * width - 24;
    context.fillText(title, 12, top + 24, half);
    context.font = `13px ${FONT}`;
    context.fillText(time, 12, top + 46, half);
    if (!column) return;
    const left = 0.5 * width + 12;
    context.fillText(quantity(column), left, top + 20, half);
    if (column.names) {
      let at = left;
      named(column, values).places.forEach((place) => {
        if (at > width - 40) return;
        const name = column.names[place];
        context.fillStyle = colourOf(place);
        context.fillRect(at, top + 34, 12, 12);
        context.fillStyle = page.colour('--ink');
        context.fillText(name, at + 17, top + 45, width - at - 24);
        at += 34 + context.measureText(name).width;
      });
      return;
    }
    // No grain has a value.
    if (range[0] > range[1]) return;
    const colours = context.createLinearGradient(left, 0, left + half, 0);
    grainShapes.VIRIDIS.forEach((colour, k, all) => colours.addColorStop(k / (all.length - 1), colour));
    context.fillStyle = colours;
    context.fillRect(left, top + 28, half, 12);
    context.fillStyle = page.colour('--ink');
    ticks(range).forEach((tick, k) => {
      context.textAlign = ['left', 'center', 'center', 'center', 'right'][k];
      context.fillText(tick, left + FRACTIONS[k] * half, top + 56);
    });
  };
  return { build, scale, caption, CAPTION, time: timeText };
})();
