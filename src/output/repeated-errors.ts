import type { LogFn } from 'pino';
import type { Clock } from '../../lib/runtime/clock.js';

/** Milliseconds for which an error is only counted after it was logged. */
const windowMs = 60_000;
/** Maximum number of distinct errors. Beyond it, every error is logged. */
const maxKinds = 200;

interface Repeats {
  count: number;
}

type LogArguments = Parameters<LogFn>;

/** Errors count as the same if their message and their cause's code or message are. */
function kindOf(values: LogArguments): string {
  const [fields, message] = values as unknown as readonly unknown[];
  const { err } = (typeof fields === 'object' && fields !== null ? fields : {}) as { readonly err?: unknown };
  const cause = err instanceof Error ? ((err as NodeJS.ErrnoException).code ?? err.message) : '';
  return `${message ?? fields} ${cause}`;
}

/**
 * Logs a repeated error once, and then how often it occurred in each minute. On a full disk
 * every call fails, and the log may be on that disk.
 */
export class RepeatedErrors {
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Repeats>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  log(values: LogArguments, method: (...values: LogArguments) => void): void {
    const kind = kindOf(values);
    const entry = this.#kinds.get(kind);
    if (entry !== undefined) entry.count += 1;
    else {
      method(...values);
      if (this.#kinds.size < maxKinds) this.#count(kind, values, method);
    }
  }

  #count(kind: string, values: LogArguments, method: (...values: LogArguments) => void): void {
    const repeats = { count: 0 };
    this.#kinds.set(kind, repeats);
    const end = () => {
      this.#kinds.delete(kind);
      if (repeats.count === 0) return;
      const [fields, message] = values as unknown as readonly unknown[];
      const text = `${message ?? fields} (${repeats.count} more within a minute)`;
      const about = typeof fields === 'object' && fields !== null ? fields : {};
      method({ ...about, repeated: repeats.count } as never, text as never);
      this.#count(kind, values, method);
    };
    this.#clock.alarm(windowMs, end, false);
  }
}
