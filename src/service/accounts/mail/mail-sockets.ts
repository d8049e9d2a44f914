import net, { type Socket } from 'node:net';
import type { Clock } from '../../../../lib/runtime/clock.js';

export interface MailSocketsOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Milliseconds after which a connection is ended, whatever is said over it. */
  readonly maxMs: number;
}

/** Connections to a mail server. Each ends in time, and all end when no more work waits. */
export class MailSockets {
  readonly #options: MailSocketsOptions;
  readonly #open = new Set<Socket>();

  constructor(options: MailSocketsOptions) {
    this.#options = options;
  }

  /** As nodemailer asks for one. */
  readonly connect = (
    _: unknown,
    done: (error: Error | null, opened?: { connection: Socket }) => void,
  ): void => {
    const { host, port, clock, maxMs } = this.#options;
    const socket = net.connect({ host, port });
    const disarm = clock.alarm(maxMs, () => {
      socket.destroy(Object.assign(new Error('The e-mail took too long.'), { code: 'ETIMEDOUT' }));
    });
    this.#open.add(socket);
    socket.once('close', () => {
      disarm();
      this.#open.delete(socket);
    });
    // The one who asked hears of it once; later faults reach nodemailer's own listener.
    socket.once('error', done);
    socket.once('connect', () => {
      socket.off('error', done);
      done(null, { connection: socket });
    });
  };

  destroy(): void {
    for (const socket of this.#open) socket.destroy(new Error('The server stops.'));
  }
}
