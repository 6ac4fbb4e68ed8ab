// Views of grains: opened when they come near the window, drawn only when something changes.
'use strict';
(() => {
  if (typeof THREE === 'undefined') return;
  const FIELD = 30;
  // Grains are this small where lines between them are shown, unless the reader chose another size.
  const SMALL = 0.35;
  // More grains than this are not drawn anew with smooth edges: a processor would take longer than a reader waits.
  const SHARP = 5000;

  // Middle and scale of what the frames show: the scene is about as large as 1. Walls that go far beyond the grains are
  // not seen whole.
  const placed = (frames) => {
    const axes = [0, 1, 2], { about, range } = frames;
    const radius = Math.max(0, range((frame) => frame.radii)[1]);
    const grains = axes.map((d) => range((frame) => frame.centres, d)).map(([low, high]) => [low - radius, high + radius]);
    const walls = axes.map((d) => range((frame) => frame.walls && frame.walls.points, d));
    const none = grains.some(([low, high]) => low > high), most = Math.max(...grains.map(([low, high]) => high - low));
    const box = axes.map((d) => {
      const [from, to] = grains[d], beyond = walls[d];
      const [low, high] = none ? beyond : [Math.min(from, Math.max(beyond[0], from - 0.5 * most)), Math.max(to, Math.min(beyond[1], to + 0.5 * most))];
      return low <= high ? [low, high] : [-1, 1];
    });
    const size = Math.hypot(...box.map(([low, high]) => 0.5 * (high - low)));
    const scale = size > 0 ? 1 / size : 1, middle = box.map(([low, high]) => 0.5 * low + 0.5 * high);
    const reach = axes.map((d) => Math.max(...[...box[d], ...walls[d]].filter(Number.isFinite).map((v) => Math.abs(v - middle[d]) * scale)));
    return { box, middle, scale, radius, reach: Math.hypot(...reach), about };
  };

  const open = (figure, renderer) => {
    const frames = grainFrames.open(figure.dataset.grains), { about } = frames;
    const stage = figure.querySelector('.stage'), place = placed(frames);
    const most = (pick) => Math.max(0, ...about.frames.map((frame) => (pick(frame) ? pick(frame).count : 0)));
    const any = (pick) => about.frames.some(pick);
    const has = { contacts: any((frame) => frame.contacts), bonds: any((frame) => frame.bonds), walls: any((frame) => frame.walls && frame.walls.triangles) };
    const state = {
      frame: 0, playing: false, speed: 10, column: about.columns.length > 0 ? 0 : -1, range: 'all', shrink: 1, chose: false,
      cut: { axis: null, at: 0.5, side: 1 }, grains: true, walls: true, contacts: false, bonds: false,
    };
    const balls = grainShapes.balls(Math.max(1, most((frame) => frame)));
    const contacts = grainShapes.lines(Math.max(1, most((frame) => frame.contacts)));
    const bonds = grainShapes.lines(Math.max(1, most((frame) => frame.bonds)));
    const walls = grainShapes.walls(), margin = grainShapes.margin();
    const scene = new THREE.Scene();
    scene.add(balls.shape, contacts.shape, bonds.shape, walls.shape, margin.shape);

    const camera = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 10);
    const up = new THREE.Vector3(...about.up), back = new THREE.Vector3(...about.eye);
    camera.up.copy(up);
    const controls = new THREE.OrbitControls(camera, renderer.domElement);
    // The page can still be scrolled by a finger on a view.
    renderer.domElement.style.touchAction = 'pan-y';
    controls.zoomSpeed = 0.7;
    controls.minDistance = 0.02;
    controls.maxDistance = 60;

    let shown = null, asked = 0, rest = 0, scale = 1;
    const columnOf = () => about.columns[state.column];
    const rangeOf = () => frames.range((frame) => frame.columns[state.column], 0, state.range === 'frame' && shown ? [shown.frame] : about.frames);
    // Values of the grains in the chosen column; null until they are read.
    const valuesOf = () => (shown && shown.column === state.column ? shown.values : null);
    const timeOf = (seen) => (seen && seen.frame.time !== null ? `t = ${grainPanel.time(about, seen.frame.time)}` : '');
    const render = (haste) => {
      const far = camera.position.length();
      camera.near = Math.max(far - place.reach - 0.05, 0.004);
      camera.far = far + place.reach + 0.05;
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      if (state.grains) balls.look(camera, renderer.domElement.width, renderer.domElement.height, { cut: cutPlane(), shrink: state.shrink, haste });
      const away = camera.position.distanceTo(controls.target);
      margin.draw(camera, { time: timeOf(shown), away, scale: place.scale, unit: about.unit });
      renderer.render(scene, camera);
    };
    // Pixels of the picture by pixels of the page.
    const sharpen = (factor) => {
      // A view that is not laid out keeps its picture.
      if (stage.clientWidth === 0 || stage.clientHeight === 0) return;
      scale = factor;
      renderer.setPixelRatio(factor * Math.min(window.devicePixelRatio, 2));
      renderer.setSize(stage.clientWidth, stage.clientHeight, false);
      margin.resize(stage.clientWidth, stage.clientHeight, renderer.domElement);
    };
    const draw = () => {
      asked = 0;
      if (!shown) return;
      if (scale !== 1) sharpen(1);
      render(true);
      // A view at rest is drawn exactly, and with smooth edges if there is time for it.
      clearTimeout(rest);
      rest = setTimeout(() => {
        if (balls.seen() <= SHARP && window.devicePixelRatio < 2) sharpen(2);
        render(false);
      }, 200);
      // Written only when they change: while a view turns, nothing asks the browser for a new style or layout.
      if (stage.dataset.frame !== String(shown.number)) stage.dataset.frame = shown.number;
      if (stage.dataset.state !== 'live') stage.dataset.state = 'live';
    };
    const ask = () => { asked = asked || requestAnimationFrame(draw); };

    // Changes of the picture that need no new numbers.
    const cutAt = () => { const [low, high] = place.box[state.cut.axis]; return low + state.cut.at * (high - low); };
    const cutPlane = () => {
      const plane = new THREE.Vector4(0, 0, 0, 1), { axis, side } = state.cut;
      if (axis === null) return plane;
      plane.setComponent(axis, side);
      plane.w = side * (cutAt() - place.middle[axis]) * place.scale;
      return plane;
    };
    const renew = () => {
      const cut = cutPlane(), column = columnOf(), range = column ? rangeOf() : [0, 0];
      for (const { shape } of [contacts, bonds]) grainShapes.set(shape, { cut });
      for (const [key, { shape }] of Object.entries({ grains: balls, contacts, bonds, walls })) shape.visible = state[key];
      if (shown && shown.column === state.column) balls.colour(shown.part, column && column.names, range);
      panel.renew();
      grainPanel.scale(panel.scale, column, range, valuesOf());
      const notes = [];
      if (shown && shown.frame.count === 0) notes.push('There are no grains in this frame.');
      if (shown && shown.values && shown.values.includes(grainFrames.NONE)) notes.push('Grey grains have no value.');
      if (state.contacts) {
        const [low, high] = strongest;
        if (low <= high) notes.push(`The thickest line is a ${about.contacts.name} of ${page.number(Math.max(-low, high), 3)} ${about.contacts.unit}.`);
        if (low < 0) notes.push('Attraction is orange.');
        const data = shown && shown.frame.contacts;
        if (data && data.count < data.all) notes.push(`The ${data.count} strongest of ${data.all} are drawn.`);
      }
      if (state.bonds) notes.push('Bonds are blue, broken ones red.');
      if (about.frames.length < about.pushed) notes.push(`${about.frames.length} of ${about.pushed} frames are here.`);
      panel.notes.textContent = notes.join(' ');
      ask();
    };
    const strongest = frames.range((frame) => frame.contacts && frame.contacts.values);

    // Shows the newest frame that was asked for; those that were asked for while another one was read are left out.
    let wanted = null, reading = null;
    const read = async () => {
      try {
        while (wanted !== null) {
          const number = wanted;
          wanted = null;
          shown = await frames.load(number, state);
          const typical = Math.max(0.5 * (shown.frame.radii.low[0] + shown.frame.radii.high[0]) * place.scale, 0.002);
          const force = Math.max(-strongest[0], strongest[1]);
          balls.show(shown, place);
          contacts.show(shown.contacts, place, force > 0 ? force : 1, [0.04 * typical, 0.5 * typical]);
          // A broken bond has the value 1, and lines below zero have the second colour.
          bonds.show(shown.bonds, place, -1, [0.22 * typical, 0]);
          walls.show(shown.walls, place);
          renew();
        }
      } catch (error) {
        stop();
        stage.dataset.state = 'failed';
        panel.notes.textContent = `This frame cannot be read: ${error.message}`;
      }
      reading = null;
    };
    const show = (number) => {
      state.frame = wanted = Math.min(Math.max(number, 0), about.frames.length - 1);
      panel.renew();
      reading = reading || read();
      return reading;
    };

    const stop = () => {
      state.playing = false;
      panel.renew();
    };
    // Each call ends the one before.
    let plays = 0;
    const play = async () => {
      const last = about.frames.length, mine = plays + 1;
      plays = mine;
      state.playing = true;
      while (state.playing && plays === mine) {
        const begin = performance.now();
        await show((state.frame + 1) % last);
        // Numbers of the next frame are read while this one is looked at.
        frames.load((state.frame + 1) % last, state).catch(() => {});
        const left = 1000 / state.speed - (performance.now() - begin);
        await new Promise((done) => setTimeout(() => requestAnimationFrame(done), Math.max(left, 0)));
      }
    };

    // Everything as the eye sees it from the middle: to the right, up, towards it. As near as what is there allows.
    const reset = () => {
      const right = up.clone().cross(back).normalize(), top = back.clone().cross(right);
      const tall = Math.tan((0.5 * FIELD * Math.PI) / 180), wide = tall * camera.aspect;
      const corner = (k) => new THREE.Vector3(...place.box.map((ends, d) => (ends[(k >> d) & 1] - place.middle[d]) * place.scale));
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
      const seen = corners.map((at) => at.dot(back) + Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(top)) / tall));
      controls.target.set(0, 0, 0);
      camera.position.copy(back).multiplyScalar(Math.max(1.04 * Math.max(...seen), 0.1));
      controls.update();
      ask();
    };
    const turn = (aside, above = 0) => {
      const arm = camera.position.clone().sub(controls.target).applyAxisAngle(up, aside);
      const tilted = arm.clone().applyAxisAngle(up.clone().cross(arm).normalize(), above);
      camera.position.copy(controls.target).add(tilted.angleTo(up) > 0.1 && tilted.angleTo(up) < 3.04 ? tilted : arm);
      controls.update();
      ask();
    };
    const zoom = (factor) => {
      camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
      controls.update();
      ask();
    };
    const resize = () => {
      const width = stage.clientWidth, height = stage.clientHeight;
      if (width === 0 || height === 0) return;
      sharpen(1);
      camera.aspect = width / height;
      ask();
    };
    const keys = (event) => {
      const acts = {
        ArrowLeft: () => turn(-0.15), ArrowRight: () => turn(0.15), ArrowUp: () => turn(0, -0.1), ArrowDown: () => turn(0, 0.1),
        '+': () => zoom(0.85), '=': () => zoom(0.85), '-': () => zoom(1.18), Home: reset,
      };
      if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      acts[event.key]();
    };
    // The picture with its axes, title and colours as a canvas.
    const picture = () => {
      sharpen(window.devicePixelRatio < 2 ? 2 : 1);
      render(false);
      const drawn = renderer.domElement, ratio = drawn.width / stage.clientWidth, high = stage.clientHeight;
      const sheet = page.element('canvas', { width: drawn.width, height: drawn.height + Math.ceil(grainPanel.CAPTION * ratio) });
      const context = sheet.getContext('2d'), column = columnOf(), time = shown.frame.time;
      context.fillStyle = page.colour('--card');
      context.fillRect(0, 0, sheet.width, sheet.height);
      context.drawImage(drawn, 0, 0);
      context.scale(ratio, ratio);
      const words = { title: about.title, time: time === null ? '' : grainPanel.time(about, time), column, range: column ? rangeOf() : null, values: valuesOf() };
      grainPanel.caption(context, words, stage.clientWidth, high);
      return sheet;
    };
    const save = () => picture().toBlob((blob) => {
      const link = page.element('a', { href: URL.createObjectURL(blob), download: `${figure.dataset.grains}-${state.frame}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });

    const panel = grainPanel.build(about, has, state, {
      play: () => { if (state.playing) stop(); else play(); },
      frame: (number) => { stop(); show(number); },
      column: (column) => { state.column = column; show(state.frame); },
      range: (range) => { state.range = range; renew(); },
      cut: (change) => { Object.assign(state.cut, change); renew(); },
      cutAt,
      size: (size) => { state.shrink = size; state.chose = true; renew(); },
      toggle: (key, on) => {
        state[key] = on;
        if (!state.chose) state.shrink = state.contacts || state.bonds ? SMALL : 1;
        if (on && (key === 'contacts' || key === 'bonds')) show(state.frame); else renew();
      },
      reset, save,
    });
    const paint = () => {
      const hex = (name) => page.colour(name);
      contacts.tint([hex('--ink'), hex('--odd')], hex('--card'));
      bonds.tint([hex('--link'), hex('--bad')], hex('--card'));
      walls.tint(hex('--faint'));
      margin.tint({ ink: hex('--ink'), faint: hex('--faint') });
      renderer.setClearColor(hex('--card'));
      ask();
    };
    figure.querySelector('.controls').replaceChildren(...panel.parts);
    stage.replaceChildren(renderer.domElement);
    stage.setAttribute('tabindex', 0);
    stage.setAttribute('role', 'application');
    stage.setAttribute('aria-label', `${about.title}: arrow keys turn, plus and minus zoom, Home resets`);
    stage.addEventListener('keydown', keys);
    controls.addEventListener('change', ask);
    new ResizeObserver(resize).observe(stage);
    page.onTheme(paint);
    paint();
    resize();
    camera.updateProjectionMatrix();
    reset();
    // The end of a run says most; playing begins anew from there.
    show(about.frames.length - 1);

    // For tests.
    const values = (part, planes) => planes.map((codes, plane) => Array.from(codes, (code) => grainFrames.value(part, plane, code)));
    stage.view = {
      state, camera, show, turn, draw, picture, seen: balls.seen, settled: () => reading || Promise.resolve(),
      // Numbers that are drawn now, in units of the frames.
      drawn: () => ({
        frame: shown.number, time: shown.frame.time, count: balls.count(), range: columnOf() ? rangeOf() : null,
        centres: values(shown.frame.centres, shown.centres), radii: values(shown.frame.radii, [shown.radii])[0],
        values: shown.values ? values(shown.part, [shown.values])[0] : null,
        contacts: contacts.count(), bonds: bonds.count(), triangles: shown.walls ? shown.walls.triangles : 0,
      }),
      // How many colours the picture has: one would be an empty stage.
      colours: () => {
        draw();
        const small = page.element('canvas', { width: 96, height: 72 }), context = small.getContext('2d');
        context.drawImage(renderer.domElement, 0, 0, 96, 72);
        return new Set(new Uint32Array(context.getImageData(0, 0, 96, 72).data.buffer)).size;
      },
    };
  };

  const fail = (stage, text) => {
    stage.dataset.state = 'failed';
    stage.replaceChildren(page.element('p', {}, text));
    stage.firstChild.style.display = 'block';
  };
  const enter = (figure) => {
    const stage = figure.querySelector('.stage');
    if (typeof DecompressionStream === 'undefined') {
      fail(stage, 'This browser cannot read compressed frames; newer ones can.');
      return;
    }
    let renderer;
    try {
      // The picture hides all that is behind it, so the browser need not mix both.
      const canvas = page.element('canvas', {}), context = canvas.getContext('webgl2', { alpha: false, antialias: false });
      renderer = new THREE.WebGLRenderer({ canvas, context });
    } catch (error) {
      fail(stage, 'This browser draws no WebGL.');
      return;
    }
    open(figure, renderer);
  };
  const watch = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
    watch.unobserve(target);
    enter(target);
  }), { rootMargin: '300px' });
  for (const figure of document.querySelectorAll('figure[data-grains]')) if (figure.querySelector('.stage')) watch.observe(figure);
})();
