import net, { type Socket } from 'node:net';
import pLimit from 'p-limit';
import type { Clock } from '../../../../lib/runtime/clock.js';

export interface MailSocketsOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Milliseconds after which a connection is closed, whatever is sent over it, including the wait for it. */
  readonly maxMs: number;
}

/**
 * Maximum concurrent connections: mail services permit one customer only a few, some of them three, and reject the mail
 * of any others.
 */
const maxOpen = 2;

const stopping = () => new Error('The server stops.');
const timeout = () => Object.assign(new Error('The e-mail took too long.'), { code: 'ETIMEDOUT' });

/** The callback of a request for a connection. */
type SocketCallback = (error: Error | null, opened?: { connection: Socket }) => void;

/**
 * A limited number of connections to a mail server. Each is closed in time, and all are closed when no more work waits.
 */
export class MailSockets {
  readonly #options: MailSocketsOptions;
  readonly #turns = pLimit(maxOpen);
  /** Closes open connections, and ends the waits for one. */
  readonly #ends = new Set<(error: Error) => void>();
  #isClosed = false;

  constructor(options: MailSocketsOptions) {
    this.#options = options;
  }

  /** The function that nodemailer calls for a connection. */
  readonly connect = (_: unknown, done: SocketCallback): void => {
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
      // The caller is notified once; later faults reach nodemailer's own listener.
      socket.once('error', done);
      socket.once('connect', () => {
        socket?.off('error', done);
        done(null, { connection: socket as Socket });
      });
      // The server counts it until it is closed.
      await new Promise((closed) => socket?.once('close', closed));
      forget();
    });
  };

  /** Closes all connections, and opens no others. */
  destroy(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end(stopping());
  }
}
