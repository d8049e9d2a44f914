import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadProgram } from '../../runtime/package-root.js';

/**
 * Checkpoints the write-ahead log in a worker thread, for a server. The two syncs of a checkpoint, 11 ms or more on a
 * busy disk, would block the event loop and every call. Without a thread, the writer checkpoints.
 */
export class LogThread {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;

  constructor(file: string) {
    this.#worker = new Worker(threadProgram('lib/database/sqlite/log-thread-program'), { workerData: file });
    this.#worker.on('error', () => undefined);
    this.#worker.unref();
    this.#ended = once(this.#worker, 'exit').catch(() => undefined);
  }

  /** Stops the thread, which closes the file. Must be called before the writer closes it. */
  async close(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage('close');
    await this.#ended;
  }
}
