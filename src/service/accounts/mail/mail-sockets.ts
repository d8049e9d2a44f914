import net, { type Socket } from 'node:net';
import pLimit from 'p-limit';
import type { Clock } from '../../../../lib/runtime/clock.js';

export interface MailSocketsOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Maximum lifetime of a connection in milliseconds, including the wait for it. */
  readonly maxMs: number;
}

/**
 * Maximum concurrent connections. Mail services allow a customer only a few, some of them three, and reject mail beyond
 * that.
 */
const maxOpen = 2;

const stopError = () => new Error('The server stops.');
const timeout = () => Object.assign(new Error('The e-mail took too long.'), { code: 'ETIMEDOUT' });

type SocketCallback = (error: Error | null, result?: { connection: Socket }) => void;

/**
 * A limited number of connections to a mail server, each with a maximum lifetime. All are closed when no more work
 * waits.
 */
export class MailSockets {
  readonly #options: MailSocketsOptions;
  readonly #turns = pLimit(maxOpen);
  /** Functions that close an open connection or end the wait for one. */
  readonly #ends = new Set<(error: Error) => void>();
  #isClosed = false;

  constructor(options: MailSocketsOptions) {
    this.#options = options;
  }

  /** The connection factory for nodemailer. */
  readonly connect = (_: unknown, done: SocketCallback): void => {
    if (this.#isClosed) {
      done(stopError());
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
      // The caller is notified once; nodemailer's own listener receives later errors.
      socket.once('error', done);
      socket.once('connect', () => {
        socket?.off('error', done);
        done(null, { connection: socket as Socket });
      });
      // The mail server counts the connection until it is closed.
      await new Promise((closed) => socket?.once('close', closed));
      forget();
    });
  };

  /** Closes all connections, and refuses new ones. */
  destroy(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end(stopError());
  }
}
