// What both plots and views need: colours of the page, numbers, data, and the next free moment.
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
    // As everywhere on the page: few digits, powers of ten raised, a true minus sign.
    number: (value, digits) => {
      const rounded = Number(value.toPrecision(digits));
      if (rounded === 0 || (Math.abs(rounded) >= 1e-3 && Math.abs(rounded) < 1e6)) return String(rounded).replace('-', '\u2212');
      const [mantissa, exponent] = rounded.toExponential().replace('+', '').split('e');
      const raised = [...exponent].map((sign) => (sign === '-' ? '\u207b' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[sign])).join('');
      return `${mantissa === '1' ? '' : `${mantissa.replace('-', '\u2212')}×`}10${raised}`;
    },
    isStill: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    data: (id) => JSON.parse(document.getElementById(`data-${id}`).textContent),
    element: (tag, attributes, ...children) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    },
    // Saves a table, whose first row has the names of its columns, as a file of the reader.
    saveTable: (title, rows) => {
      const field = (value) => {
        const text = value === null || value === undefined ? '' : String(value);
        return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const text = rows.map((row) => `${row.map(field).join(',')}\n`).join('');
      const name = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')}.csv`;
      const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
      page.element('a', { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    },
  };
})();
document.documentElement.classList.add('scripted');
