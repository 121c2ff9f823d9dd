/* SPDX-License-Identifier: MIT */
'use strict';

const at = id => document.getElementById(id);
const NO_LIMIT = 0xffffffff, TICK_MS = 100, ROWS = 12, BARS = 200;
const MODES = { none: 3, added: 0, wide: 1, full: 2 };   // enum redial_jitter

/* ---- texts ---- */

const grouped = (number, digits = 0) =>
  number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const ratio = (parts, whole, scale = 1) =>   // to the nearest tenth, as fleet rounds it
  grouped(Math.floor((parts * scale * 10 + Math.floor(whole / 2)) / whole) / 10, 1);
const duration = ms => ms < 1000 ? Math.round(ms) + ' ms'
  : ms < 120000 || ms % 60000 ? +(ms / 1000).toFixed(ms < 100000 ? 2 : 0) + ' s'
    : ms / 60000 + ' min';
const span = (from, to) => [...new Set([duration(from), duration(to)])].join(' to ');
const orNone = show => value => value ? show(value) : 'none';

/* ---- what can be chosen: a label, the values, and a text for a value ---- */

const POLICY = {
  mode: ['Jitter', Object.keys(MODES), mode => mode],
  base: ['First wait', [10, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 32000, 64000], duration],
  cap: ['Longest wait (cap)',
        [1000, 2000, 5000, 10000, 16000, 32000, 64000, 120000, 300000, 900000, 3600000], duration],
  jitter: ['Random part (jitter)', [1, 10, 50, 100, 200, 300, 500, 700, 900, 1000], duration],
  retries: ['Retries', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 50, 100, NO_LIMIT],
            value => value === NO_LIMIT ? 'unlimited' : value],
  elapsed: ['Time limit of a call',
            [1000, 5000, 10000, 30000, 60000, 120000, 300000, 900000, 3600000, 0], orNone(duration)]
};
const SITUATION = {
  clients: ['Clients', [1, 10, 100, 200, 400, 1000, 2000, 5000, 10000, 20000, 50000, 100000],
            grouped],
  capacity: ['The server takes', [1, 2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000],
             value => grouped(value) + ' a second'],
  burst: ['It saves up unused capacity for', [0, 1, 2, 5, 10, 30, 60], value => value + ' s'],
  outage: ['Outage', [0, 1, 2, 5, 10, 30, 60, 300, 1200, 3600], orNone(s => duration(s * 1000))],
  after: ['Retry-After', [0, 1, 2, 5, 10, 30, 60, 120, 300, 600, 'slots'],
          value => value === 'slots' ? 'a time for each' : orNone(s => s + ' s')(value)]
};
const SLIDERS = Object.entries({ ...POLICY, ...SITUATION });

const USUAL = { mode: 'added', base: 1000, cap: 32000, jitter: 1000, retries: NO_LIMIT,
                elapsed: 3600000, clients: 100000, capacity: 1000, burst: 1, outage: 0, after: 0 };
const PRESETS = {
  'Memorystore for Redis': {},
  'Memorystore for Valkey': { cap: 64000 },
  'Bid Manager API': { retries: 5, elapsed: 120000, clients: 400, capacity: 4, burst: 60 },
  'A fleet after an outage': { mode: 'wide', cap: 300000, outage: 1200, capacity: 500 },
  'Retry-After: 60 for all': { mode: 'wide', after: 60 },
  'A Retry-After for each': { mode: 'wide', after: 'slots' }
};

let c, state, results = {}, round = 0;   // c: the functions of page.c

const set = mode => c.set(state.base, state.cap, state.jitter, MODES[mode], state.retries,
                          state.elapsed, state.clients, state.capacity, state.burst, state.outage,
                          +state.after || 0, state.after === 'slots');
const say = text => { at('status').textContent = text; };

/* ---- drawing ---- */

const line = (path, style) => `<path d="${path}" class="${style}"/>`;
const chart = body => `<div class="chart"><svg viewBox="0 0 ${BARS} 100"
  preserveAspectRatio="none">${body}</svg></div>`;

/* A quarter of an axis that ends at that time or later. */
const quarter = ms => [1, 10, 50, 250, 500, 1000, 2000, 5000, 10000, 15000, 20000, 30000, 60000,
                       120000, 300000, 600000, 1200000].find(step => 4 * step >= ms) ?? ms / 4;
const axis = step => `<div class="axis">${[0, 1, 2, 3].map(i =>
  `<span>${i ? duration(i * step) : 0}</span>`).join('')}<b>${duration(4 * step)}</b></div>`;

/* ---- one client ---- */

const WHY = { 6: 'no retry is left', 7: 'the next wait would end too late',
              8: 'the server asks for too long a wait' };

/* When each retry may come, and when the client gives up; without a reason it never does. FULL may
   wait for 0 ms again and again, so that even within a time limit there is no last row. */
function schedule(limit) {
  const rows = [], end = { from: Infinity, to: 0, text: 'gives up' };
  for (let from = 0, to = 0; rows.length < 10000;) {
    const [least, most] = [false, true].map(longest => c.client_wait(rows.length, longest));
    if (least < 0 || limit && to + most >= limit) {
      const [first, why] = least < 0 ? [from, -least] : [Math.max(from, limit - most), 7];
      Object.assign(end, first < end.from ? { from: first, to, why } : { to });
    }
    from += least;
    to = Math.min(to + most, limit || Infinity);
    if (least < 0 || limit && from >= limit)
      break;
    rows.push({ from, to, text: span(least, most) });
  }
  return { rows, end };
}

function paintClient() {
  const { rows, end } = schedule(state.elapsed), all = rows.length <= ROWS && end.why;
  const shown = rows.slice(0, ROWS), step = quarter(Math.max(1, ...shown.map(row => row.to),
                                                             all ? end.to : 0));
  const percent = ms => ms / step / 4 * 100 + '%';
  const bar = (name, { from, to, text }) => `<p class="row"><b>${name}</b><span><i
    class="${name}" style="left:${percent(from)};width:${percent(to - from)}"></i></span>
    <small>${text}</small></p>`;
  const when = end.to ? span(end.from, end.to) + ' after' : 'at';
  at('client-says').textContent = 'Every attempt fails at once. ' +
    (end.why ? `It gives up ${when} the first failure: ${WHY[end.why]}.` : 'It does not give up.');
  at('client').innerHTML = shown.map((row, i) => bar(i + 1, row)).join('') +
    (all ? bar('end', end) : '') +
    `<div class="row"><b></b><span>${axis(step)}</span><small>wait before it</small></div>`;
}

/* ---- the fleet ---- */

function simulate(name) {
  set(name);
  const unit = c.run() ? ' s' : ' s (too much to simulate)', last = c.last_served_ms();
  const served = c.served(), clients = state.clients, length = Math.ceil(c.now_ms() / TICK_MS);
  const counts = count => Array.from({ length }, (_, tick) => count(tick));
  const all = served === clients ? ratio(last, 1000) + ' s'
    : c.gave_up() ? 'never' : '> ' + ratio(c.now_ms(), 1000) + unit;
  return { arrived: counts(c.arrived), taken: counts(c.taken), last: last || c.now_ms(),
           cells: [ratio(c.attempts(), clients), all, ratio(c.early(), clients, 100) + ' %',
                   ratio(c.peak(), clients, 100) + ' %', grouped(c.attempts() - served),
                   grouped(c.gave_up())],
           share: ratio(served, clients, 100) + ' %', times: ratio(c.peak(), state.capacity) };
}

const floor = () => [ratio(c.least_attempts(), state.clients),
                     ratio(c.least_ms(state.clients), 1000) + ' s'];

/* The chosen mode first, whose figures are shown at once. A change ends what is under way. */
async function simulateAll() {
  const mine = ++round, begun = performance.now();
  say('Simulating …');
  for (const name of Object.keys(MODES).sort((a, b) => (b === state.mode) - (a === state.mode))) {
    await new Promise(go => setTimeout(go, name === state.mode ? 100 : 0));
    if (mine !== round)
      return;
    results[name] = simulate(name);
    if (name === state.mode)
      paintSummary(results[name]);
  }
  paintFleet();
  say(`Four fleets simulated in ${duration(performance.now() - begun)}`);
}

function paintSummary({ cells, share, times }) {
  const best = floor(), figure = (text, about) => `<p><b>${text}</b><small>${about}</small></p>`;
  at('summary').innerHTML =
    figure(cells[0], `attempts a client with ${state.mode}; at best ${best[0]}`) +
    figure(cells[1], `all served after; at best ${best[1]}`) +
    figure(cells[5], `gave up; ${share} served`) + figure(times, '× the capacity, at the peak');
}

/* The attempts in each bar of a chart. */
const bars = (ticks, bar_ms) => Array.from({ length: BARS }, (_, i) => ticks
  .slice(Math.round(i * bar_ms / TICK_MS), Math.round((i + 1) * bar_ms / TICK_MS))
  .reduce((a, b) => a + b, 0));

function shareLine(taken, bar_ms, style) {
  let served = 0;
  return line('M0 100' + bars(taken, bar_ms).map((count, i) =>
    `L${i + 1} ${100 - (served += count) / state.clients * 100}`).join(''), style);
}

function loadArea(ticks, bar_ms, style) {
  const height = count => 50 * Math.min(2, count * 1000 / bar_ms / state.capacity);
  return line('M0 100' + bars(ticks, bar_ms).map((count, i) => `V${100 - height(count)}H${i + 1}`)
    .join('') + 'V100Z', style);
}

function paintFleet() {
  const all = Object.keys(MODES).map(name => [name, results[name]]), best = floor();
  const quickest = Math.max(1000, Math.min(...all.map(([, { last }]) => last)));
  const step = quarter(Math.max(quickest, 4 * quickest - 3000 * state.outage));   // of the axis
  const bar_ms = step * 4 / BARS, chosen = name => name === state.mode ? ' chosen' : '';
  const mark = (name, text) => `<b class="${name}">${name} ${text}</b> `;
  const floorLine = Array.from({ length: 101 }, (_, i) =>
    `L${c.least_ms(state.clients * i / 100) / bar_ms} ${100 - i}`).join('');
  at('legend').innerHTML = all.map(([name, { cells }]) => mark(name, cells[1])).join('') +
    mark('best', 'possible ' + best[1]);
  at('share').innerHTML = chart(all.map(([name, { taken }]) =>
    shareLine(taken, bar_ms, name + chosen(name))).join('') + line('M0 100' + floorLine, 'best')) +
    axis(step);
  at('load').innerHTML = all.map(([name, { arrived, taken, times }]) => `<p>${
    mark(name, '')}<small>at most ${times} × what the server takes</small></p>` +
    chart(loadArea(arrived, bar_ms, name + ' light') + loadArea(taken, bar_ms, name + ' solid') +
          line(`M0 50H${BARS}`, 'best'))).join('') + axis(step);
  const row = ([name, { cells }]) => `<tr class="${chosen(name)}"><th>${name}</th>${
    cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
  at('table').innerHTML =
    [...all, ['best possible', { cells: [...best, '', '', '', ''] }]].map(row).join('');
}

/* ---- the controls ---- */

const codeOf = () => `#include <redial.h>

static const struct redial_policy policy = {
    .base_ms = ${state.base},
    .cap_ms = ${state.cap},
    .jitter_ms = ${state.jitter},
    .jitter = REDIAL_JITTER_${state.mode.toUpperCase()},
    .max_retries = ${state.retries === NO_LIMIT ? 'REDIAL_NO_LIMIT' : state.retries},
    .max_elapsed_ms = ${state.elapsed},
    .attempt_ms = 10000   /* the timeout of a request, which is not simulated */
};
`;

/* Everything at once but the simulation. */
function show(next) {
  state = { ...next, cap: Math.max(next.base, next.cap) };
  for (const [name, [, values, text]] of SLIDERS) {
    at(name).value = values.indexOf(state[name]);
    at(name + '-value').textContent = at(name).ariaValueText = text(state[name]);
  }
  set(state.mode);
  paintClient();
  at('code').textContent = codeOf();
  at('copy').textContent = 'Copy';
  simulateAll();
}

function build() {
  const slider = ([name, [label, values]]) => `<label class="field">${label}
    <output id="${name}-value"></output>
    <input type="range" id="${name}" max="${values.length - 1}"></label>`;
  at('policy').innerHTML = Object.entries(POLICY).map(slider).join('');
  at('situation').innerHTML = Object.entries(SITUATION).map(slider).join('');
  at('presets').innerHTML = Object.keys(PRESETS).map(name => `<button>${name}</button>`).join('');
  for (const [name, [, values]] of SLIDERS)
    at(name).oninput = () => show({ ...state, [name]: values[at(name).value] });
  for (const button of at('presets').children)
    button.onclick = () => show({ ...USUAL, ...PRESETS[button.textContent] });
  at('copy').onclick = () => (navigator.clipboard?.writeText(codeOf()) ?? Promise.reject())
    .then(() => { at('copy').textContent = 'Copied'; },
          () => getSelection().selectAllChildren(at('code')));
}

const wasm = Uint8Array.from(atob(at('wasm').textContent), letter => letter.charCodeAt(0));
WebAssembly.instantiate(wasm).then(({ instance }) => {
  c = instance.exports;
  build();
  show(USUAL);
}).catch(error => say('The page does not run in this browser: ' + error.message));
