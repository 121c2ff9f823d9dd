/* The values that can be chosen, with the names and units of herd's options, and the address, the
   command and the C for them. SPDX-License-Identifier: MIT */
'use strict';

const NO_LIMIT = 0xffffffff, DAY_S = 86400, DAY_MS = DAY_S * 1000;
const MOST_REQUESTS = 10000000;     // more than that is for herd

/* Options of milliseconds, which the program reads with their unit. */
const IN_MS = ['pause', 'per', 'burst', 'base', 'cap', 'jitter', 'elapsed'];

/* In the order of herd's table. */
const MODES = [
  { name: 'none', number: 3 }, { name: 'added', number: 0 }, { name: 'wide', number: 1 },
  { name: 'full', number: 2 }
];

/* Values are whole numbers in a range, or words. The first value is herd's default. */
const OPTIONS = {
  'clients': { first: 1000, least: 1, most: MOST_REQUESTS },
  'jobs': { first: 1, least: 1, most: 100000 },
  'pause': { first: 0, least: 0, most: 1000000 },
  'capacity': { first: 10, least: 1, most: 1e9 },
  'per': { first: 1000, least: 1, most: DAY_MS },
  'burst': { first: 1000, least: 0, most: 3600000 },
  'outage': { first: 0, least: 0, most: DAY_S - 1 },
  'retry-after': { first: 0, least: 0, most: DAY_S },
  'mode': { first: 'added', words: MODES.map(mode => mode.name) },
  'base': { first: 1000, least: 1, most: DAY_MS },
  'cap': { first: 32000, least: 1, most: DAY_MS },
  'jitter': { first: 1000, least: 1, most: 1000 },
  'retries': { first: 'unlimited', least: 0, most: 10000, words: ['unlimited'] },
  'elapsed': { first: 0, least: 0, most: DAY_MS },
  'workers': { first: 0, least: 0, most: MOST_REQUESTS },
  'gate': { first: 'none', words: ['none', '429'] },
  'budget': { first: 0, least: 0, most: NO_LIMIT },
  'seed': { first: 1, least: 0, most: NO_LIMIT },
  'horizon': { first: 3600, least: 1, most: DAY_S }
};

/* Each has a time limit, because its C is copied as it is. */
const PRESETS = [
  { name: 'Google Cloud REST client (1 s, cap 32 s)',
    values: { clients: 100000, capacity: 1000, elapsed: 3600000 } },
  { name: 'Bid Manager (5 retries)',
    values: { clients: 400, capacity: 240, per: 60000, burst: 60000, retries: 5,
              elapsed: 120000 } },
  { name: 'Device fleet after an outage',
    values: { clients: 100000, capacity: 500, outage: 1200, cap: 300000, mode: 'wide',
              elapsed: 3600000 } },
  { name: 'Everybody gets Retry-After: 60',
    values: { clients: 100000, capacity: 1000, 'retry-after': 60, elapsed: 3600000 } },
  { name: 'A budget in a storm',
    values: { clients: 1000, jobs: 60, pause: 1000, capacity: 700, outage: 10, mode: 'full',
              base: 200, cap: 5000, retries: 5, elapsed: 60000, budget: 100 } },
  { name: 'One cron job',
    values: { clients: 1, capacity: 1, outage: 600, mode: 'wide', base: 1000, cap: 120000,
              elapsed: 1800000 } }
];

function firstState() {
  return Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, option.first]));
}

/* Rules for more than one value. Values that break them are changed. */
function fitted(state) {
  const fit = { ...state };
  fit.cap = Math.max(fit.cap, fit.base);
  fit.jobs = Math.min(fit.jobs, Math.max(1, Math.floor(MOST_REQUESTS / fit.clients)));
  if (fit.horizon <= fit.outage)
    fit.horizon = Math.min(fit.outage + 3600, DAY_S);
  if (fit.workers === 0)
    fit.gate = 'none';
  return fit;
}

function presetState(preset) {
  return fitted({ ...firstState(), ...preset.values });
}

/* ---- the address ---- */

/* Returns the value, or undefined if the text is not a value. */
function valueOf(option, text) {
  if (option.words && option.words.includes(text))
    return text;
  const number = Number(text);
  const fits = /^\d{1,10}$/.test(text) && number >= option.least && number <= option.most;
  return fits ? number : undefined;
}

/* Reads the part of the address after the #. Returns the values, and the parts that it does not
   understand. The default of the capacity is a hundredth of the clients, as in herd. */
function readAddress(hash) {
  const refused = [], given = {};
  for (const [name, text] of new URLSearchParams(hash)) {
    const value = Object.hasOwn(OPTIONS, name) ? valueOf(OPTIONS[name], text) : undefined;
    if (value === undefined)
      refused.push(name + '=' + text);
    else
      given[name] = value;
  }
  const state = { ...firstState(), ...given };
  state.capacity = given.capacity ?? Math.max(1, Math.floor(state.clients / 100));
  return { state: fitted(state), refused };
}

function changed(state) {
  return Object.keys(OPTIONS).filter(name =>
    state[name] !== OPTIONS[name].first || ['clients', 'capacity'].includes(name));
}

function addressOf(state) {
  const names = changed(state).filter(name => name !== 'mode');
  return [...names, 'mode'].map(name => name + '=' + state[name]).join('&');
}

/* ---- the simulation's numbers ---- */

function wishesOf(state) {
  return {
    clients: state.clients, jobs: state.jobs, pause: state.pause,
    capacity: state.capacity, per: state.per, burst: state.burst,
    outage: state.outage, after: state['retry-after'],
    mode: MODES.find(mode => mode.name === state.mode).number,
    base: state.base, cap: state.cap, jitter: state.jitter,
    retries: state.retries === 'unlimited' ? NO_LIMIT : state.retries, elapsed: state.elapsed,
    workers: state.workers, gate: Number(state.gate === '429'), budget: state.budget,
    seed: state.seed, horizon: state.horizon
  };
}

/* ---- what can be copied ---- */

/* In pieces that belong on one line each. */
function commandOf(state) {
  const unit = name => IN_MS.includes(name) && typeof state[name] === 'number' ? 'ms' : '';
  const options = changed(state).filter(name => name !== 'mode')
    .map(name => '--' + name + ' ' + state[name] + unit(name));
  return ['build-examples/examples/herd', ...options];
}

function budgetCode(state) {
  return `/* One for each server, shared by all callers. */
static struct redial_budget budget;

/* Call it once, before the first request. */
static inline void fill_budget(void)
{
    redial_budget_init(&budget, ${state.budget}, 10);
}

`;
}

function codeOf(state) {
  return `#include <redial.h>

${state.budget ? budgetCode(state) : ''}static const struct redial_policy policy = {
    .base_ms = ${state.base},
    .cap_ms = ${state.cap},
    .jitter_ms = ${state.jitter},
    .max_retries = ${state.retries === 'unlimited' ? 'REDIAL_NO_LIMIT' : state.retries},
    .max_elapsed_ms = ${state.elapsed},
    .attempt_ms = 10000,   /* the timeout of a request, which is not simulated */
    .jitter = REDIAL_JITTER_${state.mode.toUpperCase()}${
    state.budget ? ',\n    .budget = &budget' : ''}
};
`;
}
