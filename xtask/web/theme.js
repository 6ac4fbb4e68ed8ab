// What both plots and views need: colours of the page, data, and the next free moment.
'use strict';
const page = (() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const listeners = [];
  dark.addEventListener('change', () => listeners.forEach((listener) => listener()));
  return {
    isDark: () => dark.matches,
    // Returns what undoes it.
    onTheme: (listener) => {
      listeners.push(listener);
      return () => listeners.splice(listeners.indexOf(listener), 1);
    },
    colour: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
    data: (id) => JSON.parse(document.getElementById(`data-${id}`).textContent),
    element: (tag, attributes, ...children) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    },
  };
})();
document.documentElement.classList.add('scripted');
