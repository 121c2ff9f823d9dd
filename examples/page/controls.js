/* Presets, sliders and radio buttons. SPDX-License-Identifier: MIT */
'use strict';

/* ---- words for values ---- */

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function duration(ms) {
  if (ms < 1000)
    return ms + ' ms';
  if (ms < 120000 || ms % 60000 !== 0)
    return (ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 3 }) + ' s';
  return ms < 7200000 || ms % 3600000 !== 0 ? grouped(ms / 60000) + ' min' : ms / 3600000 + ' h';
}

/* A time, rounded to a few digits. */
function rough(ms) {
  const digit = ms < 1000 ? 1 : ms < 10000 ? 10 : 100;
  return Math.round(ms / digit) * digit;
}

/* Two times in the same unit. */
function span(from, to) {
  const [a, b] = [rough(from), rough(to)];
  if (a === b)
    return duration(a);
  const unit = b < 1000 ? 1 : b >= 120000 && a % 60000 === 0 && b % 60000 === 0 ? 60000 : 1000;
  const text = ms => (ms / unit).toLocaleString('en-US', { maximumFractionDigits: 2 });
  return `${text(a)} to ${text(b)} ${{ 1: 'ms', 1000: 's', 60000: 'min' }[unit]}`;
}

function perTime(value, state) {
  const time = { 1000: ' a second', 60000: ' a minute' }[state.per];
  return grouped(value) + (time ?? ' in ' + duration(state.per));
}

/* ---- the controls ---- */

const TIMES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4000, 8000, 10000, 16000, 32000,
               60000, 64000, 120000, 300000, 600000, 1800000, 3600000];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000,
                200000, 500000, 1000000];

const SLIDERS = {
  'base': { label: 'First wait',
            values: [...TIMES.slice(3, 9), 750, 1000, 1500, 2000, 3000, 4000, 8000, 16000,
                     30000, 60000],
            show: duration },
  'cap': { label: 'Longest wait (cap)', values: [...TIMES.slice(6), 7200000], show: duration },
  'jitter': { label: 'Random part (jitter)',
              values: [1, 10, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000],
              show: duration },
  'retries': { label: 'Retries',
               values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100, 'unlimited'],
               show: value => String(value) },
  'elapsed': { label: 'Time limit of a call',
               values: [1000, 2000, 5000, 10000, 20000, 30000, 60000, 120000, 300000, 600000,
                        1800000, 3600000, 0],
               show: value => value ? duration(value) : 'none' },
  'budget': { label: 'Retry budget',
              values: [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 0],
              show: value => value ? grouped(value) + ' tokens' : 'none' },
  'clients': { label: 'Clients', values: [1, 2, 4, 8, ...COUNTS.slice(3)], show: grouped },
  'jobs': { label: 'Requests of each', values: [1, 2, 3, 5, 10, 20, 30, 60, 100], show: grouped },
  'pause': { label: 'Pause before each, on average',
             values: [0, 10, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000],
             show: value => value ? duration(value) : 'none' },
  'capacity': { label: 'Capacity of the server', values: [1, 2, 4, 8, ...COUNTS.slice(3)],
                show: perTime },
  'outage': { label: 'Outage',
              values: [0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3000],
              show: value => value ? duration(value * 1000) : 'none' },
  'retry-after': { label: 'Retry-After', values: [0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600],
                   show: value => value ? value + ' s, with a 429' : 'none, with a 503' }
};

const POLICY = ['base', 'cap', 'jitter', 'retries', 'elapsed', 'budget'];
const SITUATION = ['clients', 'capacity', 'outage', 'retry-after', 'jobs', 'pause'];
const HIDDEN = ['burst', 'workers', 'gate', 'seed', 'horizon'];

function withValue(state, name, value) {
  const next = { ...state, [name]: value };
  if (name === 'cap')
    next.base = Math.min(next.base, value);
  if (name === 'outage')
    next.horizon = OPTIONS.horizon.first;
  return fitted(next);
}

/* ---- on the page ---- */

function sliderHtml(name, slider) {
  return `<div class="field"><label for="${name}">${slider.label}</label>
    <output id="${name}-value" for="${name}"></output>
    <input type="range" id="${name}" min="0" max="${slider.values.length - 1}" step="1"></div>`;
}

function modesHtml() {
  return MODES.map(({ name }) =>
    `<label><input type="radio" name="mode" value="${name}"><span>${name}</span></label>`).join('');
}

function buildControls(change) {
  const at = id => document.getElementById(id), html = name => sliderHtml(name, SLIDERS[name]);
  at('mode').innerHTML = modesHtml();
  at('mode').addEventListener('input', ({ target }) => change('mode', target.value));
  at('policy').innerHTML = POLICY.map(html).join('');
  at('situation').innerHTML = SITUATION.map(html).join('');
  for (const [name, { values }] of Object.entries(SLIDERS))
    at(name).addEventListener('input', ({ target }) => change(name, values[target.value]));
}

/* The position of a slider for a value that may lie between two of its positions. */
function position(values, value) {
  const exact = values.indexOf(value);
  if (exact >= 0 || typeof value !== 'number')
    return exact;
  const near = values.findIndex(one => typeof one === 'number' && one > value);
  return near < 0 ? values.length - 1 : near;
}

function showSlider(name, slider, state) {
  const input = document.getElementById(name), text = slider.show(state[name], state);
  input.value = position(slider.values, state[name]);
  input.setAttribute('aria-valuetext', text);
  document.getElementById(name + '-value').textContent = text;
}

function showControls(state) {
  for (const [name, slider] of Object.entries(SLIDERS))
    showSlider(name, slider, state);
  for (const input of document.querySelectorAll('#mode input'))
    input.checked = input.value === state.mode;
}

function buildPresets(box, choose) {
  box.innerHTML = PRESETS.map((preset, i) =>
    `<button type="button" id="preset-${i}" aria-pressed="false">${preset.name}</button>`).join('');
  PRESETS.forEach((preset, i) =>
    document.getElementById('preset-' + i)
      .addEventListener('click', () => choose(presetState(preset))));
}

function showPresets(state) {
  PRESETS.forEach((preset, i) =>
    document.getElementById('preset-' + i)
      .setAttribute('aria-pressed', String(addressOf(presetState(preset)) === addressOf(state))));
}

/* The values in the address that no control shows. */
function hiddenText(state) {
  return HIDDEN.filter(name => state[name] !== OPTIONS[name].first)
    .map(name => `${name} ${state[name]}`).join(', ');
}
