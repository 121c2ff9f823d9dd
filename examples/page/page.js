/* The main program: it shows each change at once, and simulates the fleet again.
   SPDX-License-Identifier: MIT */
'use strict';

const PACE_MS = 150;    /* the fleet is simulated again at most so often while a slider moves */
const FLOOR_PARTS = 400;

const at = id => document.getElementById(id);
let state, engine, module, worker, floor;
let run, shown, timer, addressTimer;      // the run of the simulation, and the one that is shown

/* ---- the simulation ---- */

function workerUrl() {
  const text = at('engine').textContent + at('worker').textContent;
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}

function say(text, done) {
  at('status').textContent = text;
  document.documentElement.dataset.state = done ? 'done' : 'busy';
}

function stopWorker() {
  if (worker)
    worker.terminate();
  worker = null;
}

/* The chosen mode first, and last the one that takes longest. */
function inOrder(chosen) {
  const rank = name => name === chosen ? 0 : name === 'none' ? 2 : 1;
  return [...MODES].sort((a, b) => rank(a.name) - rank(b.name));
}

function simulate() {
  if (run && run.busy)
    endRun();
  worker ??= new Worker(workerUrl());
  const mine = run = { state, floor, results: {}, busy: true, begun: performance.now() };
  worker.onmessage = ({ data }) => mine === run && received(mine, data);
  worker.onerror = event => say('The simulation has stopped: ' + event.message, true);
  worker.postMessage({ module, wishes: wishesOf(state), modes: inOrder(state.mode) });
}

/* The simulation takes long, so the page shows what it has of the chosen mode. */
function endRun() {
  if (run.results[run.state.mode])
    showRun(run);
  stopWorker();
}

/* Old curves stay for a moment, so that nothing flickers if the simulation ends in that time. */
function received(run, { mode, result, done }) {
  const took = performance.now() - run.begun;
  run.busy = !done && result !== null;
  if (result)
    run.results[mode] = result;
  if (done || result && took > PACE_MS)
    showRun(run);
  if (done)
    say(`Four fleets simulated in ${(took / 1000).toFixed(2)} s`, true);
  if (result === null) {
    stopWorker();
    say(`There is no memory for ${grouped(run.state.clients)} clients in this browser.`, true);
  }
}

function showRun(run) {
  shown = run;
  shown.end = fleetEnd(run.results, run.floor, run.state);
  paintFleet();
}

/* Another mode of the same fleet has been simulated already. */
function onlyAnotherMode() {
  const of = state => addressOf({ ...state, mode: 'none' });
  return run && !run.busy && shown === run && of(run.state) === of(state);
}

function simulateSoon() {
  clearTimeout(timer);
  if (onlyAnotherMode()) {
    run.state = state;
    paintFleet();
    return;
  }
  say('Simulating …', false);
  const wait_ms = run && run.busy ? Math.max(0, run.begun + PACE_MS - performance.now()) : 0;
  timer = setTimeout(simulate, wait_ms);
}

/* ---- painting ---- */

function paintFleet() {
  if (!shown || !at('fleet').clientWidth)
    return;
  const { results, floor, end } = shown;
  drawFleet(at('fleet'), results, floor, shown.state, end);
  drawLoad(at('load'), results, shown.state, end);
  showTable(at('figures'), results, floor, shown.state);
  if (results[shown.state.mode])
    showSummary(at('summary'), results[shown.state.mode].figures, floor, shown.state);
}

function paintClient() {
  if (!at('schedule').clientWidth)
    return;
  at('schedule-says').textContent = drawSchedule(at('schedule'), engine);
  at('schedule-when').textContent = 'Every attempt fails at once' +
    (state['retry-after'] ? `, with Retry-After: ${state['retry-after']}.` : '.');
}

function paintTexts(refused) {
  const hidden = hiddenText(state);
  at('code').textContent = codeOf(state);
  at('command').innerHTML = commandOf(state).map(piece => `<span>${piece}</span>`).join(' ');
  at('note').textContent = (hidden ? `Also set: ${hidden}. ` : '') +
    (refused.length ? `Not understood in the address: ${refused.join(', ')}.` : '');
}

/* ---- changes ---- */

function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, '', '#' + addressOf(state)), 200);
}

/* refused: parts of the address */
function show(next, refused = []) {
  state = next;
  engine.wish(wishesOf(state));
  floor = engine.floor(FLOOR_PARTS);
  showControls(state);
  showPresets(state);
  paintClient();
  paintTexts(refused);
  simulateSoon();
}

function change(next) {
  show(next);
  writeAddress();
}

function showAddress() {
  const { state: next, refused } = readAddress(location.hash.slice(1));
  show(location.hash.length > 1 ? next : presetState(PRESETS[0]), refused);
}

/* ---- copying ---- */

/* Some browsers refuse the clipboard to a page that was opened from a file. */
async function copy(button) {
  const text = at(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = 'Selected: copy it yourself';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 3000);
}

/* ---- the beginning ---- */

async function start() {
  const bytes =
    Uint8Array.from(atob(at('wasm').textContent.trim()), letter => letter.charCodeAt(0));
  module = await WebAssembly.compile(bytes);
  engine = await Engine.create(module);
  say('Starting …', false);   /* this shows the controls and the charts */
  buildPresets(at('presets'), change);
  buildControls((name, value) => change(withValue(state, name, value)));
  document.querySelectorAll('[data-copy]')
    .forEach(button => button.addEventListener('click', () => copy(button)));
  addEventListener('hashchange', showAddress);
  new ResizeObserver(() => { paintClient(); paintFleet(); }).observe(document.body);
  showAddress();
}

start().catch(error => {
  at('trouble').textContent = 'The page does not run in this browser: ' + error.message;
});
