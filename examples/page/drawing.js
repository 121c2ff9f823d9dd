/* Helpers of all charts: scales, axes, texts and the names of curves.
   SPDX-License-Identifier: MIT */
'use strict';

const FONT = 13;
const pen = document.createElement('canvas').getContext('2d');

function textWidth(text) {
  pen.font = `600 ${FONT}px system-ui, sans-serif`;
  return pen.measureText(text).width * 1.04;
}

function svg(width, height, title, body) {
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"
    aria-label="${title}">${body}</svg>`;
}

function textAt(x, y, text, style = '', anchor = 'start') {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${style}"
    text-anchor="${anchor}">${text}</text>`;
}

function line(x1, y1, x2, y2, style) {
  return `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}"
    class="${style}"/>`;
}

function box(x, y, width, height, style) {
  return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, width).toFixed(1)}"
    height="${Math.max(0, height).toFixed(1)}" class="${style}"/>`;
}

/* ---- time ---- */

const STEPS_S = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120,
                 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 432000, 864000];

function timeStep(end, most) {
  return STEPS_S.find(step => end / step <= most) ?? end;
}

/* A time in the unit that all texts of the axis have. */
function timeText(s, step) {
  const unit = step % 3600 === 0 ? 3600 : step % 60 === 0 ? 60 : 1;
  return +(s / unit).toFixed(3) + { 3600: ' h', 60: ' min', 1: ' s' }[unit];
}

/* Lines and texts of a time axis in seconds, below the plot at x to x + width, y to y + height. */
function timeAxis(plot, end, note) {
  const step = timeStep(end, Math.max(3, plot.width / 80));
  let out = '';
  for (let i = 0; i * step <= end * 1.0001; i++) {
    const x = plot.x + i * step / end * plot.width;
    const room = x + 24 < plot.x + plot.width;
    out += line(x, plot.y, x, plot.y + plot.height, 'grid');
    const anchor = i === 0 ? 'start' : room ? 'middle' : 'end';
    out += textAt(x, plot.y + plot.height + 17, timeText(i * step, step), 'tick', anchor);
  }
  return out +
    (note ? textAt(plot.x + plot.width, plot.y + plot.height + 34, note, 'tick', 'end') : '');
}

/* A round number of seconds, not less. */
function roundEnd(s) {
  const step = timeStep(s, 12);
  return Math.max(0.001, Math.ceil(s / step - 1e-9) * step);
}

/* ---- the names of curves ---- */

/* labels: { name, text, chosen }, in lines of that width. Returns the drawing and its height. */
function legend(labels, left, width) {
  let out = '', x = left, y = 0;
  for (const { name, text, chosen } of labels) {
    const style = `m-${name}${chosen ? ' chosen' : ''}`, wide = textWidth(text) + 26;
    if (x > left && x + wide > width)
      [x, y] = [left, y + 20];
    out += line(x, y + 10, x + 18, y + 10, 'curve ' + style) +
      textAt(x + 23, y + 15, text, 'label ' + style);
    x += wide + 14;
  }
  return { out, height: y + 20 };
}
