/* The JavaScript interface of the WebAssembly module. SPDX-License-Identifier: MIT */
'use strict';

class Engine {
  static async create(module) {
    return new Engine((await WebAssembly.instantiate(module)).exports);
  }

  constructor(exports) {
    this.c = exports;
    this.names = this.text(exports.page_names()).trim().split(' ');
  }

  words(address, count) {
    return new Uint32Array(this.c.memory.buffer, address, count);
  }

  text(address) {
    const bytes = new Uint8Array(this.c.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /* An object with a whole number for every name. */
  wish(wishes) {
    const words = this.words(this.c.page_wishes(), this.names.length);
    this.names.forEach((name, i) => { words[i] = wishes[name]; });
  }

  ranges() {
    const address = this.c.page_ranges();
    const [rows, more, verdict, earliest, latest] = this.words(address, 5);
    const words = this.words(address + 20, rows * 4);
    const row = i => ({ least: words[4 * i], most: words[4 * i + 1],
                        from: words[4 * i + 2], to: words[4 * i + 3] });
    return {
      rows: Array.from({ length: rows }, (_, i) => row(i)), more: more !== 0,
      verdict: this.text(this.c.page_verdict(verdict)), earliest, latest
    };
  }

  floor(parts) {
    const [attempts, served] = this.text(this.c.page_floor()).split('|');
    const ms = Array.from({ length: parts + 1 }, (_, i) => this.c.page_floor_ms(i, parts));
    return { attempts, served, ms };
  }

  /* Null: no memory. */
  run() {
    if (!this.c.page_run())
      return null;
    const ticks = this.c.page_ticks();
    const [attempts, all, early, peak, wasted, gaveUp, times, share] =
      this.text(this.c.page_figures()).split('|');
    return {
      figures: { attempts, all, early, peak, wasted, gaveUp, times, share },
      arrived: this.words(this.c.page_arrived(), ticks).slice(),
      taken: this.words(this.c.page_taken(), ticks).slice()
    };
  }
}
