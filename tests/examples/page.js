/* Appended to a copy of the page by tests/check page, which compares the presets with fleet. It
   moves each control, and says in #said what is wrong. SPDX-License-Identifier: MIT */
const settled = async () => {
  while (!at('status').textContent.startsWith('Four'))
    await new Promise(go => setTimeout(go, 50));
};
const said = (name, text) => { at('said').textContent += text.replace(/^/gm, name + '|') + '\n'; };
const check = (right, text) => right || said('wrong', text);
const texts = selector => [...document.querySelectorAll(selector)].map(part => part.textContent);
const seen = () => at('summary').innerHTML + document.querySelector('main > :last-child').innerHTML;

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
        || policy.max_retries != ${s.retries}u || policy.max_elapsed_ms != ${s.elapsed}
        || policy.attempt_ms != 10000;
}`);
  const documented = [`32000 ${NO_LIMIT}`, `64000 ${NO_LIMIT}`, '32000 5'][number];
  check(!documented || documented === `${s.cap} ${s.retries}`, 'documents say ' + documented);
  set(s.mode);
  c.run();
  const figures = [row[0], row[1], row[5], ratio(c.peak(), s.capacity)];
  check(texts('#summary b').join() === figures.join() &&
        at('summary').textContent.includes(ratio(c.served(), s.clients, 100) + ' % served'),
        button.textContent + ': ' + at('summary').textContent);
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

(async () => {
  await settled();
  let copied = '';
  Object.defineProperty(navigator, 'clipboard', { get: () => copied ? undefined   // plain http
    : { writeText: async text => { copied = text; } } });
  at('copy').click();
  await settled();
  check(copied + at('copy').textContent === at('code').textContent + 'Copied', 'copied ' + copied);
  show(USUAL);
  at('copy').click();
  await settled();
  check(copied + 'Copy' === getSelection() + '\n' + at('copy').textContent, 'no C is selected');
  for (const [number, button] of [...at('presets').children].entries())
    await preset(button, number);
  check(at('share').querySelector('.wide').getAttribute('d').endsWith('L200 0'),
        'all are served, and the curve does not end at the top');
  for (const [values, says, waits, places] of CLIENTS) {
    show({ ...USUAL, clients: 10, ...values });
    const bars = Array.from(document.querySelectorAll('#client i'),
                            ({ style }) => style.left + ' ' + style.width);
    check(at('client-says').textContent.endsWith('It gives up ' + says) &&
          texts('#client p small').join() === waits && (!places || places === bars.join()),
          says + at('client-says').textContent + texts('#client p small'));
  }
  for (const [values, says] of [
    [{ clients: 10, elapsed: 0, outage: 3600 }, /^3,6\S+ s$/],
    [{ mode: 'full', base: 10, cap: 1000, outage: 3600 }, /^> 112.5 s .too much/]]) {
    show({ ...USUAL, ...values });
    await settled();
    check(says.test(texts('#summary b')[1]), at('summary').textContent + ' is not ' + says);
  }
  show({ ...USUAL, base: 64000 });
  check(state.cap === 64000, 'the longest wait is less than the first one');
  const inputs = document.querySelectorAll('input');
  for (const input of inputs) {
    show({ mode: 'wide', base: 200, cap: 2000, jitter: 500, retries: 4, elapsed: 60000,
           clients: 400, capacity: 20, burst: 1, outage: 2, after: 10 });
    await settled();
    const before = seen();
    input.stepDown();
    input.dispatchEvent(new Event('input'));
    await settled();
    check(seen() !== before, input.id + ' changes nothing');
  }
  said('end', inputs.length + ' controls were moved');
})().catch(error => said('wrong', error.stack));
