/* Helpers of all charts: scales, axes, texts, and a place for the label of a curve. SPDX-License-Identifier: MIT */
'use strict';

const FONT = 13;
const pen = document.createElement('canvas').getContext('2d');

function textWidth(text) {
  pen.font = `600 ${FONT}px system-ui, sans-serif`;
  return pen.measureText(text).width * 1.04;
}

function svg(width, height, title, body) {
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${
    body}</svg>`;
}

function textAt(x, y, text, style = '', anchor = 'start') {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${style}" text-anchor="${anchor}">${text}</text>`;
}

function line(x1, y1, x2, y2, style) {
  return `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" class="${style}"/>`;
}

function box(x, y, width, height, style) {
  return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, width).toFixed(1)}" height="${
    Math.max(0, height).toFixed(1)}" class="${style}"/>`;
}

/* ---- time ---- */

const STEPS_S = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200,
                 1800, 3600, 7200, 14400, 28800, 86400, 172800, 432000, 864000];

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
  return out + (note ? textAt(plot.x + plot.width, plot.y + plot.height + 34, note, 'tick', 'end') : '');
}

/* A round number of seconds, not less. */
function roundEnd(s) {
  const step = timeStep(s, 12);
  return Math.max(0.001, Math.ceil(s / step - 1e-9) * step);
}

/* ---- labels of curves ---- */

/* A curve is an array with a y for each pixel of x, and may end early. About how many pixels of it are in the box. */
function crossed(curve, rect) {
  let count = 0;
  const from = Math.max(0, Math.floor(rect.x)), to = Math.min(curve.length - 1, Math.ceil(rect.x + rect.width));
  for (let x = from; x <= to; x++) {
    const next = curve[x + 1] ?? curve[x];
    const top = Math.max(rect.y, Math.min(curve[x], next));
    const bottom = Math.min(rect.y + rect.height, Math.max(curve[x], next));
    count += top <= bottom ? 1 + bottom - top : 0;
  }
  return count;
}

function grown(rect, by) {
  return { x: rect.x - by, y: rect.y - by, width: rect.width + 2 * by, height: rect.height + 2 * by };
}

function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* The boxes beside a point, and how much worse each is than the best. */
function placesAt(x, y, width) {
  const height = FONT + 3;
  return [
    { x: x + 7, y: y - height / 2, width, height, worse: 0 },
    { x: x - 7 - width, y: y - height / 2, width, height, worse: 1 },
    { x: x + 4, y: y + 4, width, height, worse: 0 },
    { x: x - 4 - width, y: y - 4 - height, width, height, worse: 0 },
    { x: x - width / 2, y: y - 6 - height, width, height, worse: 2 },
    { x: x - width / 2, y: y + 6, width, height, worse: 2 },
    ...[24, 48, 72].flatMap(far => [
      { x: x + far, y: y - height / 2, width, height, worse: far / 2 },
      { x: x - far - width, y: y - height / 2, width, height, worse: far / 2 },
      { x: x + far, y: y + far / 2, width, height, worse: far / 2 },
      { x: x - far - width, y: y - far / 2 - height, width, height, worse: far / 2 }
    ])
  ];
}

/* Points of a curve, some 8 pixels apart. */
function pointsOf(curve) {
  const points = [];
  for (let x = 0; x < curve.length; x += 5) {
    const next = curve[x + 5] ?? curve[curve.length - 1];
    const steps = Math.max(1, Math.round(Math.abs(next - curve[x]) / 8));
    for (let i = 0; i < steps; i++)
      points.push({ x: x + 5 * i / steps, y: curve[x] + (next - curve[x]) * i / steps });
  }
  return points;
}

/* How hard it is to tell to which curve a point belongs. */
function crowd(point, others) {
  const near = { x: point.x - 8, y: point.y - 8, width: 16, height: 16 };
  return 40 * others.filter(other => crossed(other, near) > 0).length;
}

function badness(place, own, others, taken, room) {
  if (place.x < 0 || place.x + place.width > room.width || place.y < 0 || place.y + place.height > room.height)
    return Infinity;
  if (taken.some(one => overlap(grown(one, 2), place)))
    return Infinity;
  let bad = place.worse + 2 * crossed(own, place);
  for (const other of others)
    bad += 4 * crossed(other, place) + 2 * crossed(other, grown(place, 7));
  return bad;
}

/* A line from a label that is not beside its curve to the point that it names. */
function leader(place, point, plot, style) {
  const x = Math.min(Math.max(point.x, place.x - 2), place.x + place.width + 2), y = place.y + place.height / 2;
  if (Math.abs(point.x - x) < 9 && Math.abs(point.y - y) < 18)
    return '';
  return line(plot.x + x, plot.y + y, plot.x + point.x, plot.y + point.y, 'leader ' + style) +
         `<circle cx="${(plot.x + point.x).toFixed(1)}" cy="${(plot.y + point.y).toFixed(1)}" r="3" class="dot ${
           style}"/>`;
}

/* labels: { text, curve }. Returns for each label a box and the point that it names, or null if there is no room. */
function placeLabels(labels, room) {
  const taken = [];
  return labels.map(({ text, curve }) => {
    const width = textWidth(text), others = labels.map(label => label.curve).filter(other => other !== curve);
    let best = null, least = Infinity;
    for (const point of pointsOf(curve)) {
      const crowded = crowd(point, others);
      for (const place of crowded < least ? placesAt(point.x, point.y, width) : []) {
        const bad = crowded + badness(place, curve, others, taken, room);
        if (bad < least)
          [best, least] = [{ ...place, point }, bad];
      }
    }
    if (best)
      taken.push(best);
    return best;
  });
}
