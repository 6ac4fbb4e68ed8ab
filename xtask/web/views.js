// Views that can be turned: built when they come near the window, given up when they are far away again, drawn only when
// something changes.
'use strict';
(() => {
  if (typeof THREE === 'undefined') return;
  const open = (figure, renderer) => {
    const data = page.data(figure.dataset.view);
    const stage = figure.querySelector('.stage'), panel = figure.querySelector('.controls');
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    const { group, bounds, points, margin, slider, recolour } = scenes[data.kind](data);
    const scene = new THREE.Scene();
    const [up, eye, low, high] = [data.up, data.eye, bounds.low, bounds.high].map((v) => new THREE.Vector3(...v));
    const middle = low.clone().add(high).multiplyScalar(0.5), radius = 0.5 * high.distanceTo(low);
    // Light comes from above the reader's left shoulder, at first.
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    const left = up.clone().cross(eye).normalize().negate();
    sun.position.copy(eye.clone().normalize().add(up).add(left));
    scene.add(group, new THREE.AmbientLight(0xffffff, 1.1), sun);

    const camera = new THREE.PerspectiveCamera(32, 1, 0.02 * radius, 40 * radius);
    camera.up.copy(up);
    const controls = new THREE.OrbitControls(camera, renderer.domElement);
    // The page can still be scrolled by a finger on a view.
    renderer.domElement.style.touchAction = 'pan-y';
    controls.enableZoom = true;
    controls.zoomSpeed = 0.7;
    let asked = 0;
    const draw = () => {
      asked = 0;
      renderer.setClearColor(page.colour('--card'));
      renderer.render(scene, camera);
      figure.dataset.state = 'drawn';
    };
    const ask = () => { asked = asked || requestAnimationFrame(draw); };
    // Everything as the eye sees it from the middle: to the right, up, towards it.
    const back = eye.clone().normalize(), right = up.clone().cross(back).normalize(), top = back.clone().cross(right);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [0, 1, 2].map((d) => (k & (1 << d) ? high : low).getComponent(d)));
    const places = points || corners, room = points ? margin : 0, seen = [right, top, back].map((axis) => {
      const from = axis.dot(middle);
      return Float32Array.from({ length: places.length / 3 }, (_, k) => axis.x * places[3 * k] + axis.y * places[3 * k + 1] + axis.z * places[3 * k + 2] - from);
    });
    const [across, above] = seen.map((all) => 0.5 * (all.reduce((a, b) => Math.min(a, b)) + all.reduce((a, b) => Math.max(a, b))));
    const aim = right.clone().multiplyScalar(across).addScaledVector(top, above);
    const follow = (place) => {
      const target = place.clone().add(aim);
      camera.position.add(target).sub(controls.target);
      controls.target.copy(target);
      controls.update();
    };
    let range = null;
    // As near as what is there allows.
    const away = () => {
      const tall = Math.tan((0.5 * camera.fov * Math.PI) / 180), wide = tall * camera.aspect;
      let most = 0;
      seen[2].forEach((near, k) => {
        const [x, y] = [Math.abs(seen[0][k] - across) + room, Math.abs(seen[1][k] - above) + room];
        most = Math.max(most, near + room + Math.max(x / wide, y / tall));
      });
      return 1.04 * most;
    };
    const reset = () => {
      controls.target.copy(range && slider.middle ? slider.middle(Number(range.value)) : middle).add(aim);
      camera.position.copy(controls.target).addScaledVector(back, away());
      controls.update();
      ask();
    };
    const resize = () => {
      const width = stage.clientWidth, height = stage.clientHeight;
      if (width === 0 || height === 0) return;
      renderer.setSize(width, height, false);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      ask();
    };

    // Turning by keys, for those who do not use a mouse.
    const keys = (event) => {
      const step = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const arm = camera.position.clone().sub(controls.target).applyAxisAngle(up, step[0]);
      const side = up.clone().cross(arm).normalize();
      const tilted = arm.clone().applyAxisAngle(side, step[1]);
      camera.position.copy(controls.target).add(tilted.angleTo(up) > 0.1 && tilted.angleTo(up) < 3.04 ? tilted : arm);
      controls.update();
      ask();
    };

    let playing = 0;
    const stop = () => {
      clearInterval(playing);
      playing = 0;
      if (figure.dataset.played) figure.dataset.played = 'once';
    };
    let playOnce = () => {};
    const watched = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) playOnce(); }, { threshold: 0.7 });
    const parts = [];
    if (slider) {
      const text = page.element('output', {});
      range = page.element('input', { type: 'range', min: 0, max: slider.max, value: slider.start, 'aria-label': slider.name });
      const show = () => {
        const at = Number(range.value);
        slider.set(at);
        text.textContent = slider.label(at);
        if (slider.middle) follow(slider.middle(at));
        ask();
      };
      range.addEventListener('input', () => { watched.disconnect(); stop(); show(); });
      if (slider.plays) {
        const play = page.element('button', { type: 'button' }, '▶ play');
        play.addEventListener('click', () => {
          watched.disconnect();
          if (playing) { stop(); return; }
          playing = setInterval(() => { range.value = (Number(range.value) + 1) % (slider.max + 1); show(); }, 60);
        });
        // Once, when the reader comes to it, from the start to the end and back to where most happens.
        playOnce = () => {
          watched.disconnect();
          if (figure.dataset.played || page.isStill()) return;
          figure.dataset.played = 'begun';
          let at = 0;
          playing = setInterval(() => {
            range.value = at <= slider.max ? at : slider.start;
            if (at > slider.max) stop();
            at += 1;
            show();
          }, 60);
        };
        watched.observe(stage);
        parts.push(play);
      }
      if (slider.max > 0) parts.push(range, text);
      show();
    }
    const again = page.element('button', { type: 'button', title: 'back to the first point of view' }, '⟲ reset');
    again.addEventListener('click', reset);
    parts.push(again);
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => page.element('span', {}, page.number(part * data.most, 3)));
    const bar = page.element('div', { class: 'viridis' });
    const paint = () => { bar.classList.toggle('reversed', Boolean(recolour) && !page.isDark()); };
    paint();
    parts.push(page.element('div', { class: 'scale' }, bar, page.element('div', { class: 'ticks' }, ...ticks),
      page.element('div', { class: 'faint' }, data.quantity)));
    parts.push(page.element('p', { class: 'faint hint' }, 'Drag or use arrow keys to turn, the wheel to zoom.'));
    panel.replaceChildren(...parts);
    stage.replaceChildren(renderer.domElement);
    controls.addEventListener('change', ask);
    stage.addEventListener('keydown', keys);
    const observer = new ResizeObserver(resize);
    observer.observe(stage);
    resize();
    reset();
    const forget = page.onTheme(() => { if (recolour) recolour(); paint(); ask(); });

    // How many colours the picture has, by eye of a program: one would be an empty stage.
    figure.colours = () => {
      draw();
      const small = page.element('canvas', { width: 96, height: 72 });
      const context = small.getContext('2d');
      context.drawImage(renderer.domElement, 0, 0, 96, 72);
      return new Set(new Uint32Array(context.getImageData(0, 0, 96, 72).data.buffer)).size;
    };
    return () => {
      forget();
      stop();
      watched.disconnect();
      cancelAnimationFrame(asked);
      observer.disconnect();
      stage.removeEventListener('keydown', keys);
      controls.dispose();
      group.traverse((part) => { part.geometry?.dispose(); part.material?.map?.dispose(); part.material?.dispose(); });
      renderer.dispose();
      renderer.forceContextLoss();
      // The panel stays, so that the page does not move under its reader.
      stage.replaceChildren();
      delete figure.colours;
      figure.dataset.state = 'idle';
    };
  };

  const closers = new Map();
  const enter = (figure) => {
    if (closers.has(figure)) return;
    let renderer;
    try {
      renderer = new THREE.WebGLRenderer({ antialias: true });
    } catch (error) {
      figure.dataset.state = 'failed';
      figure.querySelector('.stage').textContent = 'This browser draws no WebGL. The still pictures of this figure show the same.';
      return;
    }
    closers.set(figure, open(figure, renderer));
  };
  const leave = (figure) => {
    const close = closers.get(figure);
    closers.delete(figure);
    if (close) close();
  };
  const watch = new IntersectionObserver(
    (entries) => entries.forEach((entry) => (entry.isIntersecting ? enter : leave)(entry.target)), { rootMargin: '150px' });
  document.querySelectorAll('figure[data-view]').forEach((figure) => watch.observe(figure));
})();
