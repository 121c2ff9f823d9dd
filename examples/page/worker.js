/* Simulates the fleet once for each mode, so that the page can still react.
   SPDX-License-Identifier: MIT */
onmessage = async ({ data: { module, wishes, modes } }) => {
  const engine = await Engine.create(module);
  for (const mode of modes) {
    engine.wish({ ...wishes, mode: mode.number });
    const result = engine.run();
    postMessage({ mode: mode.name, result },
                result ? [result.arrived.buffer, result.taken.buffer] : []);
  }
  postMessage({ done: true });
};
