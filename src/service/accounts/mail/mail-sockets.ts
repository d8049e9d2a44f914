import net, { type Socket } from 'node:net';
import pLimit from 'p-limit';
import type { Clock } from '../../../../lib/runtime/clock.js';

export interface MailSocketsOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Milliseconds after which a connection is ended, whatever is said over it, and for which one is waited for. */
  readonly maxMs: number;
}

/** Connections at once: mail services allow one customer few, some of them three, and refuse the mail of any further one. */
const maxOpen = 2;

const timeout = () => Object.assign(new Error('The e-mail took too long.'), { code: 'ETIMEDOUT' });
const stopped = () => new Error('The server stops.');

/** The answer to who asked for a connection. */
type Done = (error: Error | null, opened?: { connection: Socket }) => void;

/** Connections to a mail server, a few at once. Each ends in time, and all end when no more work waits. */
export class MailSockets {
  readonly #options: MailSocketsOptions;
  readonly #turns = pLimit(maxOpen);
  readonly #open = new Set<Socket>();
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(options: MailSocketsOptions) {
    this.#options = options;
  }

  /** As nodemailer asks for one. */
  readonly connect = (_: unknown, done: Done): void => {
    const { clock, maxMs } = this.#options;
    const giveUp = (error: Error) => {
      if (stopWaiting()) done(error);
    };
    const disarm = clock.alarm(maxMs, () => giveUp(timeout()));
    const stopWaiting = () => {
      disarm();
      return this.#waiting.delete(giveUp);
    };
    this.#waiting.add(giveUp);
    // Until it is closed, the server counts it.
    void this.#turns(async () => {
      if (stopWaiting()) await this.#connect(done);
    });
  };

  /** Ends every connection; those that wait for one get none. */
  destroy(): void {
    for (const giveUp of this.#waiting) giveUp(stopped());
    for (const socket of this.#open) socket.destroy(stopped());
  }

  /** Opens a connection, and resolves when it is closed. */
  #connect(done: Done): Promise<void> {
    const { host, port, clock, maxMs } = this.#options;
    const socket = net.connect({ host, port });
    const disarm = clock.alarm(maxMs, () => socket.destroy(timeout()));
    this.#open.add(socket);
    // The one who asked hears of it once; later faults reach nodemailer's own listener.
    socket.once('error', done);
    socket.once('connect', () => {
      socket.off('error', done);
      done(null, { connection: socket });
    });
    return new Promise((resolve) => {
      socket.once('close', () => {
        disarm();
        this.#open.delete(socket);
        resolve();
      });
    });
  }
}
