import net, { type Socket } from 'node:net';
import pLimit from 'p-limit';
import type { Clock } from '../../../../lib/runtime/clock.js';

export interface MailSocketsOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Milliseconds after which a connection is ended, whatever is said over it. The wait for it counts. */
  readonly maxMs: number;
}

/** Connections at once: mail services allow one customer few, some of them three, and refuse the mail of any further one. */
const maxOpen = 2;

const stopping = () => new Error('The server stops.');
const timeout = () => Object.assign(new Error('The e-mail took too long.'), { code: 'ETIMEDOUT' });

/** The answer to who asked for a connection. */
type Done = (error: Error | null, opened?: { connection: Socket }) => void;

/** Connections to a mail server, a few at once. Each ends in time, and all end when no more work waits. */
export class MailSockets {
  readonly #options: MailSocketsOptions;
  readonly #turns = pLimit(maxOpen);
  /** Ends the connections that are open, and the waits for one. */
  readonly #ends = new Set<(error: Error) => void>();
  #isClosed = false;

  constructor(options: MailSocketsOptions) {
    this.#options = options;
  }

  /** As nodemailer asks for one. */
  readonly connect = (_: unknown, done: Done): void => {
    if (this.#isClosed) {
      done(stopping());
      return;
    }
    const { host, port, clock, maxMs } = this.#options;
    let socket: Socket | undefined;
    const disarm = clock.alarm(maxMs, () => end(timeout()));
    const forget = () => {
      disarm();
      return this.#ends.delete(end);
    };
    const end = (error: Error) => {
      if (socket !== undefined) socket.destroy(error);
      else if (forget()) done(error);
    };
    this.#ends.add(end);
    void this.#turns(async () => {
      if (!this.#ends.has(end)) return;
      socket = net.connect({ host, port });
      // The one who asked hears of it once; later faults reach nodemailer's own listener.
      socket.once('error', done);
      socket.once('connect', () => {
        socket?.off('error', done);
        done(null, { connection: socket as Socket });
      });
      // Until it is closed, the server counts it.
      await new Promise((closed) => socket?.once('close', closed));
      forget();
    });
  };

  /** Ends all connections; no other one is opened. */
  destroy(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end(stopping());
  }
}
