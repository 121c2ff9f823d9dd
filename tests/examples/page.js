/* Appended to a copy of the page by tests/check page: it moves each control, and says in #said what
   is wrong. What the page shows with each preset is compared with fleet outside.
   SPDX-License-Identifier: MIT */
const settled = async () => {
  while (!at('status').textContent.startsWith('Four'))
    await new Promise(go => setTimeout(go, 50));
};
const said = (name, text) => { at('said').textContent += text.replace(/^/gm, name + '|') + '\n'; };
const texts = selector => [...document.querySelectorAll(selector)].map(part => part.textContent);
const seen = () => ['summary', 'client', 'client-says', 'share', 'load', 'table', 'code']
  .map(id => at(id).innerHTML).join();

/* What their documents say: the cap, and the number of retries. */
const SERVICES = [`32000 ${NO_LIMIT}`, `64000 ${NO_LIMIT}`, '32000 5'];

/* The options of fleet, the table, and a program that looks at the policy of the C. */
async function preset(button, number) {
  button.click();
  await settled();
  const s = state, row = texts('#table .chosen td');
  said(number + 'options', `--clients ${s.clients} --capacity ${s.capacity} --burst ${s.burst} ` +
    `--outage ${s.outage} --horizon ${s.outage + 3600} --retry-after ${+s.after || 0} ` +
    `--base ${s.base / 1000} --cap ${s.cap / 1000} --jitter ${s.jitter / 1000} ` +
    `--retries ${s.retries} --elapsed ${s.elapsed / 1000}`);
  said(number + 'table', [...document.querySelectorAll('#table tr')].map(row =>
    [...row.cells].map(cell => cell.textContent).join(' ').trim()).join('\n'));
  said(number + 'code', at('code').textContent + `int main(void)
{
    return redial_policy_error(&policy) || policy.base_ms != ${s.base} || policy.cap_ms != ${s.cap}
        || policy.jitter_ms != ${s.jitter} || policy.jitter != ${MODES[s.mode]}
        || policy.max_retries != ${s.retries}u || policy.max_elapsed_ms != ${s.elapsed};
}`);
  if (number < 3 && s.cap + ' ' + s.retries !== SERVICES[number])
    said('wrong', button.textContent + ' has another policy');
  if (texts('#summary b').slice(0, 3).join() !== [row[0], row[1], row[5]].join())
    said('wrong', button.textContent + ': ' + at('summary').textContent);
}

/* Worked out by hand: what is said of one client, the waits at its bars, and where they are. */
const CLIENTS = [
  [{ retries: 2 }, '3 s to 5 s after the first failure: no retry is left.',
   '1 s to 2 s,2 s to 3 s,gives up', '12.5% 12.5%,37.5% 25%,37.5% 25%'],
  [{ mode: 'wide', base: 500, cap: 4000, elapsed: 9000 },
   '5 s to 9 s after the first failure: the next wait would end too late.',
   '500 ms to 1 s,1 s to 2 s,2 s to 4 s,2 s to 4 s,2 s to 4 s,gives up'],
  [{ mode: 'full', cap: 1000 },
   '3599 s to 60 min after the first failure: the next wait would end too late.',
   '0 ms to 1 s'.concat(',0 ms to 1 s'.repeat(11))],
  [{ after: 600 }, 'at the first failure: the server asks for too long a wait.', 'gives up']
];

async function move(input) {
  show({ mode: 'wide', base: 200, cap: 2000, jitter: 500, retries: 4, elapsed: 60000, clients: 400,
         capacity: 20, burst: 1, outage: 2, after: 10 });
  await settled();
  const before = seen();
  input.stepDown();
  input.dispatchEvent(new Event('input'));
  await settled();
  if (seen() === before)
    said('wrong', input.id + ' changes nothing');
}

(async () => {
  await settled();
  for (const [number, button] of [...at('presets').children].entries())
    await preset(button, number);
  if (!at('share').querySelector('.wide').getAttribute('d').endsWith('L200 0'))
    said('wrong', 'all are served, and the curve does not end at the top');
  for (const [values, says, waits, places] of CLIENTS) {
    show({ ...USUAL, clients: 10, ...values });
    const bars = [...document.querySelectorAll('#client i')];
    if (!at('client-says').textContent.endsWith('It gives up ' + says) ||
        texts('#client p small').join() !== waits || places &&
        bars.map(({ style }) => style.left + ' ' + style.width).join() !== places)
      said('wrong', says + at('client-says').textContent + texts('#client p small'));
  }
  show({ ...USUAL, base: 64000 });
  if (state.cap !== 64000)
    said('wrong', 'the longest wait is less than the first one');
  const inputs = document.querySelectorAll('input');
  for (const input of inputs)
    await move(input);
  said('end', inputs.length + ' controls were moved');
})().catch(error => said('wrong', error.stack));
