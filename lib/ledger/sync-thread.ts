import { setTimeout as pause } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import type { Worker } from 'node:worker_threads';

/** Places in the memory that both threads see. */
const asked = 0;
const done = 1;
const fault = 2;
const ready = 3;
const places = 4;

/** What is asked for to have the thread end. */
const end = -1;
/** Syncs are numbered in a circle, so that a server may run for years. */
const circle = 2 ** 30;

/** Milliseconds that are spent looking for the end of a sync before sleeping: to be woken takes a third of that. */
const looking = 0.1;
/** Milliseconds that the event loop stands still for a sync; a longer one is waited for beside it. */
const standstill = 5;
const pauseBetween = 1;

/** As text, so that it need not be found: sources, bundles and programs built with this library have it elsewhere. */
const program = `
const { fdatasyncSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { file, memory } = workerData;
Atomics.store(memory, ${ready}, 1);
for (let last = 0; ; ) {
  Atomics.wait(memory, ${asked}, last);
  last = Atomics.load(memory, ${asked});
  if (last === ${end}) break;
  try {
    fdatasyncSync(file);
  } catch (error) {
    Atomics.store(memory, ${fault}, error.errno);
  }
  Atomics.store(memory, ${done}, last);
  Atomics.notify(memory, ${done});
}
`;

/**
 * A thread that brings a file to the disk while this one goes on. Each waits for the other on shared memory: a tenth
 * of the time that a message between them takes, or a turn of the thread pool (measured 2026-11).
 */
export class SyncThread {
  readonly #memory = new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #gone = false;
  #turn = 0;

  /** `file` is the descriptor of an open file. */
  constructor(file: number) {
    // Loaded with the first thread: a command has none, and its start would be a tenth longer.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    this.#worker = new Worker(program, {
      eval: true,
      name: 'ledger-sync',
      workerData: { file, memory: this.#memory },
      // Nothing that this process was started with is meant for it.
      execArgv: [],
    });
    // It alone is no reason for the process to go on.
    this.#worker.unref();
    this.#ended = new Promise((resolve) => {
      const over = () => {
        this.#gone = true;
        resolve();
      };
      this.#worker.once('exit', over).once('error', over);
    });
  }

  /** False until it has started, and once it has ended by itself: then the file has to be synced otherwise. */
  get isReady(): boolean {
    return !this.#gone && Atomics.load(this.#memory, ready) === 1;
  }

  /**
   * Begins a sync; what it gives waits for its end, and throws or rejects when the disk did not take what was
   * written. One at a time.
   */
  begin(): () => void | Promise<void> {
    this.#turn = (this.#turn + 1) % circle;
    Atomics.store(this.#memory, asked, this.#turn);
    Atomics.notify(this.#memory, asked);
    return () => {
      const patience = performance.now() + looking;
      while (!this.#isDone()) {
        if (performance.now() < patience) continue;
        const before = (this.#turn + circle - 1) % circle;
        const woken = Atomics.wait(this.#memory, done, before, standstill);
        if (woken === 'timed-out') return this.#later();
      }
      this.#check();
    };
  }

  /** Resolves when the thread has ended. */
  close(): Promise<void> {
    if (!this.#gone) this.#worker.ref();
    Atomics.store(this.#memory, asked, end);
    Atomics.notify(this.#memory, asked);
    return this.#ended;
  }

  async #later(): Promise<void> {
    while (!this.#isDone()) {
      if (this.#gone) throw new Error('The thread that brings the log to the disk has ended.');
      await pause(pauseBetween);
    }
    this.#check();
  }

  #isDone(): boolean {
    return Atomics.load(this.#memory, done) === this.#turn;
  }

  #check(): void {
    const errno = Atomics.exchange(this.#memory, fault, 0);
    if (errno === 0) return;
    const code = getSystemErrorName(errno);
    throw Object.assign(new Error(`The file was not brought to the disk: ${code}.`), { code });
  }
}
