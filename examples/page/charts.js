/* The charts and the table. SPDX-License-Identifier: MIT */
'use strict';

const seconds = ms => ms / 1000;

/* ---- one client ---- */

const WHY = { exhausted: 'no retry is left', timed_out: 'the next wait would end too late',
              wait_too_long: 'the server asks for too long a wait' };

function endSentence(ranges) {
  if (ranges.earliest === NO_LIMIT)
    return 'It does not give up.';
  const when = ranges.latest === 0 ? 'at' : span(ranges.earliest, ranges.latest) + ' after';
  return `It gives up ${when} the first failure: ${WHY[ranges.verdict]}.`;
}

function scheduleEnd(ranges) {
  const last = ranges.rows.length ? ranges.rows[ranges.rows.length - 1].to : 0;
  const end = ranges.latest === NO_LIMIT || ranges.more ? last : Math.max(last, ranges.latest);
  return roundEnd(Math.max(seconds(end), 0.001));
}

/* The range of times in row i, with a text. */
function scheduleBar(from, to, text, style, i, frame) {
  const x = ms => frame.x + seconds(ms) / frame.end * frame.width, y = frame.y + i * frame.row;
  return box(x(from), y + 2, Math.max(2, x(to) - x(from)), frame.row - 4, 'range ' + style) +
         scheduleLabel(text, x(from), x(to), y + frame.row / 2 + 4, frame);
}

function scheduleRow(row, i, frame) {
  return textAt(frame.x - 8, frame.y + (i + 0.5) * frame.row + 4, String(i + 1), 'tick', 'end') +
         scheduleBar(row.from, row.to, span(row.least, row.most), '', i, frame);
}

/* Beside the bar, where there is room. */
function scheduleLabel(text, from, to, y, frame) {
  if (to + 8 + textWidth(text) < frame.x + frame.width)
    return textAt(to + 8, y, text, 'small');
  return from - 8 - textWidth(text) > frame.x ? textAt(from - 8, y, text, 'small', 'end')
                                              : textAt(frame.x + 4, y, text, 'small halo');
}

function giveUpRow(ranges, frame) {
  const i = ranges.rows.length, never = ranges.latest === NO_LIMIT;
  if (!ranges.more && !never)
    return scheduleBar(ranges.earliest, ranges.latest, 'gives up', 'end', i, frame);
  const text = never ? ': it does not give up' :
    `, until it gives up after ${span(ranges.earliest, ranges.latest)}`;
  return textAt(frame.x + 4, frame.y + (i + 0.5) * frame.row + 4, 'and so on' + text, 'small');
}

function drawSchedule(holder, engine) {
  const ranges = engine.ranges();
  const width = holder.clientWidth, height = holder.clientHeight, rows = ranges.rows.length + 1;
  const frame = { x: 34, y: 22, width: width - 42, height: height - 66, end: scheduleEnd(ranges) };
  frame.row = Math.min(30, frame.height / rows);
  const bars = ranges.rows.map((row, i) => scheduleRow(row, i, frame)).join('') +
    giveUpRow(ranges, frame);
  const axis = timeAxis(frame, frame.end, 'time since the first failure');
  const sentence = endSentence(ranges);
  holder.innerHTML = svg(width, height, 'When the retries of one client come. ' + sentence,
                         textAt(0, 13, 'retry', 'tick') + axis + bars);
  return sentence;
}

/* ---- the fleet's time axis ---- */

const TICK_S = 0.1;

/* The seconds until the last client was served, or until nothing was left to do. */
function lastSecond(result) {
  let last = result.taken.length;
  while (last > 0 && result.taken[last - 1] === 0)
    last--;
  return (last || result.taken.length) * TICK_S;
}

/* The axis shows all of the slowest mode, unless the others would become too narrow. */
function fleetEnd(results, floor, state) {
  const ends = Object.values(results).map(lastSecond);
  const least = Math.max(seconds(floor.ms[floor.ms.length - 1]), 1);
  const quickest = Math.max(least, ends.length ? Math.min(...ends) : 0);
  const most = state.outage + 4 * Math.max(quickest - state.outage, least / 20);
  return Math.min(roundEnd(Math.min(most, Math.max(...ends, least)) * 1.1), state.horizon);
}

/* ---- the share served ---- */

function shareCurve(result, requests, plot, end) {
  const curve = [];
  let tick = 0, served = 0;
  for (let x = 0; x <= plot.width && served < requests; x++) {
    const until = Math.min(result.taken.length, Math.round(x / plot.width * end / TICK_S));
    for (; tick < until; tick++)
      served += result.taken[tick];
    curve.push(plot.height * (1 - served / requests));
  }
  return curve;
}

function floorCurve(floor, requests, plot, end) {
  const curve = [], parts = floor.ms.length - 1;
  let part = 0;
  for (let x = 0; x <= plot.width && part < parts; x++) {
    while (part < parts && seconds(floor.ms[part + 1]) <= x / plot.width * end)
      part++;
    curve.push(plot.height * (1 - Math.floor(requests * part / parts) / requests));
  }
  return curve;
}

function path(curve, plot) {
  let out = '';
  for (let x = 0; x < curve.length; x++)
    out += `${x ? 'L' : 'M'}${x + plot.x} ${(curve[x] + plot.y).toFixed(1)}`;
  return out;
}

function shareGrid(plot) {
  return [0, 25, 50, 75, 100].map(percent => {
    const y = plot.y + plot.height * (1 - percent / 100);
    return line(plot.x, y, plot.x + plot.width, y, 'grid') +
      textAt(plot.x - 6, y + 4, percent + ' %', 'tick', 'end');
  }).join('');
}

function outageBand(plot, end, state, text) {
  const width = Math.min(1, state.outage / end) * plot.width;
  if (!state.outage)
    return '';
  const fits = textWidth(text) < width - 8;
  return box(plot.x, plot.y, width, plot.height, 'outage') +
         (fits ? textAt(plot.x + width / 2, plot.y + 16, text, 'small', 'middle') : '');
}

/* The chosen mode is drawn last, over the others. */
function fleetCurves(results, floor, state, plot, end) {
  const requests = state.clients * state.jobs;
  const curves = MODES.filter(({ name }) => results[name]).map(({ name }) =>
    ({ name, curve: shareCurve(results[name], requests, plot, end) }));
  curves.push({ name: 'floor', curve: floorCurve(floor, requests, plot, end) });
  return curves.sort((a, b) => (a.name === state.mode) - (b.name === state.mode));
}

function fleetNames(results, floor, state) {
  const text = (name, { all, share }) => name + ' ' + (all === 'never' ? share : all);
  const names = MODES.filter(({ name }) => results[name]).map(({ name }) =>
    ({ name, text: text(name, results[name].figures), chosen: name === state.mode }));
  return [...names, { name: 'floor', text: 'best possible ' + floor.served }];
}

function drawFleet(holder, results, floor, state, end) {
  const width = holder.clientWidth, height = holder.clientHeight;
  const names = legend(fleetNames(results, floor, state), 46, width);
  const plot =
    { x: 46, y: names.height + 12, width: width - 54, height: height - 54 - names.height };
  const lines = fleetCurves(results, floor, state, plot, end).map(({ name, curve }) =>
    `<path d="${path(curve, plot)}" class="curve m-${name}${
      name === state.mode ? ' chosen' : ''}"/>`);
  holder.innerHTML = svg(width, height,
    'The share that is served over time, by jitter; the table has the figures',
    names.out + outageBand(plot, end, state, 'nothing answers') + shareGrid(plot) +
    timeAxis(plot, end) + lines.join(''));
}

/* ---- the load ---- */

/* Attempts a second in bins of at least a second, and of at least two pixels. */
function rates(ticks, bin, count) {
  return Array.from({ length: count }, (_, i) => {
    let sum = 0;
    const until = Math.min(ticks.length, Math.round((i + 1) * bin / TICK_S));
    for (let tick = Math.round(i * bin / TICK_S); tick < until; tick++)
      sum += ticks[tick];
    return sum / bin;
  });
}

function area(values, bin, plot, end, most, style) {
  const x = i => (plot.x + Math.min(1, i * bin / end) * plot.width).toFixed(1);
  const y = value => (plot.y + plot.height * (1 - Math.min(1, value / most))).toFixed(1);
  const top = values.map((value, i) => `L${x(i)} ${y(value)}L${x(i + 1)} ${y(value)}`).join('');
  const foot = plot.y + plot.height;
  return `<path d="M${plot.x} ${foot}${top}L${x(values.length)} ${foot}Z" class="${style}"/>`;
}

function loadPanel(name, result, plot, end, capacity, state) {
  const bin = Math.max(1, Math.ceil(end / plot.width * 2)), count = Math.ceil(end / bin);
  const middle = plot.y + plot.height / 2, top = plot.y - 6;
  const chosen = name === state.mode ? ' chosen' : '';
  return textAt(plot.x, top, name, `label m-${name}${chosen}`) +
    textAt(plot.x + plot.width, top, `at most ${result.figures.times} × capacity`,
           'small', 'end') +
    box(plot.x, plot.y, plot.width, plot.height, 'panel') + outageBand(plot, end, state, '') +
    area(rates(result.arrived, bin, count), bin, plot, end, 2 * capacity, `arrived m-${name}`) +
    area(rates(result.taken, bin, count), bin, plot, end, 2 * capacity, `taken m-${name}`) +
    line(plot.x, middle, plot.x + plot.width, middle, 'capacity') +
    textAt(plot.x - 6, middle + 4, '1 ×', 'tick', 'end');
}

function drawLoad(holder, results, state, end) {
  const width = holder.clientWidth, height = holder.clientHeight;
  const row = (height - 30) / MODES.length;
  const capacity = state.capacity * 1000 / state.per;
  let out = '';
  MODES.forEach(({ name }, i) => {
    const plot = { x: 46, y: i * row + 22, width: width - 54, height: row - 28 };
    if (results[name])
      out += loadPanel(name, results[name], plot, end, capacity, state);
  });
  const axis = timeAxis({ x: 46, y: MODES.length * row - 6, width: width - 54, height: 0 }, end);
  holder.innerHTML = svg(width, height,
    'Attempts a second at the server and its capacity, by jitter', out + axis);
}

/* ---- figures ---- */

const COLUMNS = ['attempts', 'all', 'early', 'peak', 'wasted', 'gaveUp'];

function showTable(table, results, floor, state) {
  const cells = figures =>
    COLUMNS.map(key => `<td>${figures ? figures[key] ?? '' : '…'}</td>`).join('');
  const row = (name, text, figures) => `<tr class="${name === state.mode ? 'chosen' : ''}">
    <th scope="row"><i class="m-${name}"></i>${text}</th>${cells(figures)}</tr>`;
  const rows = MODES.map(({ name }) => row(name, name, results[name] && results[name].figures));
  table.tBodies[0].innerHTML = rows.join('') +
    row('floor', 'best possible', { attempts: floor.attempts, all: floor.served });
  table.querySelector('.per').textContent = perWhom(state);
}

function perWhom(state) {
  return 'attempts a ' + (state.jobs > 1 ? 'request' : 'client');
}

function showSummary(holder, figures, floor, state) {
  const set = (name, text) => { holder.querySelector('.' + name).textContent = text; };
  set('mode', state.mode === 'none' ? 'no jitter' : state.mode);
  set('attempts', figures.attempts);
  set('attempts-best', 'best possible ' + floor.attempts);
  set('per', perWhom(state));
  set('all', figures.all);
  set('all-best', 'best possible ' + floor.served);
  set('gave-up', figures.gaveUp);
  set('share', figures.share + ' served');
  set('times', figures.times + ' ×');
}
