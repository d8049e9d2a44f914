import type { Services } from '../../lib/call/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { minuteMs } from '../../lib/runtime/clock.js';
import type { CanaryResult } from './canary.js';
import { canarySet } from './canary-set.js';
import { runCanaries } from './run-canaries.js';

export interface CanaryWatchOptions {
  readonly endpoints: readonly Endpoint[];
  readonly services: Services;
  /** The operator's file; none for the default canaries. */
  readonly file: string | undefined;
  readonly minutes: number;
  readonly onResult: (endpoint: Endpoint, result: CanaryResult) => void;
  readonly onError: (cause: unknown) => void;
}

/** Milliseconds after the start: calls that were waiting for the server come first. */
const firstMs = 30_000;

/** Asks the canaries in the background, a round every so many minutes; a round that takes longer delays the next. */
export class CanaryWatch {
  readonly #options: CanaryWatchOptions;
  readonly #stopping = new AbortController();
  #disarm: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CanaryWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#later(firstMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The server stops.'));
    this.#disarm();
    await this.#running;
  }

  #later(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#disarm = this.#options.services.clock.alarm(ms, () => {
      this.#running = this.#round().finally(() => this.#later(this.#options.minutes * minuteMs));
    });
  }

  async #round(): Promise<void> {
    const { endpoints, services, file, onResult, onError } = this.#options;
    const { signal } = this.#stopping;
    try {
      // Read for every round, so that a corrected file counts without a restart.
      const canaries = await canarySet(file, endpoints);
      await runCanaries(canaries, {
        services,
        signal,
        onResult: ({ endpoint }, result) => onResult(endpoint, result),
      });
    } catch (cause) {
      if (!signal.aborted) onError(cause);
    }
  }
}
