import type { Clock } from '../../../lib/runtime/clock.js';
import type { Mail, Mailer } from '../accounts/mail/mailer.js';

/** A mail that could not be sent, without its text. */
interface FailedMail {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly error: string;
}

/** Mail since the server started. */
export interface MailCounts {
  readonly sent: number;
  readonly failed: number;
  /** Newest first. */
  readonly lastFailed: readonly FailedMail[];
}

const maxFailed = 20;

/** Counts mail, and records why some failed. */
export class WatchedMailer implements Mailer {
  readonly #mailer: Mailer;
  readonly #clock: Pick<Clock, 'now'>;
  #counts: MailCounts = { sent: 0, failed: 0, lastFailed: [] };

  constructor(mailer: Mailer, clock: Pick<Clock, 'now'>) {
    this.#mailer = mailer;
    this.#clock = clock;
  }

  get counts(): MailCounts {
    return this.#counts;
  }

  async send(mail: Mail): Promise<void> {
    try {
      await this.#mailer.send(mail);
      this.#counts = { ...this.#counts, sent: this.#counts.sent + 1 };
    } catch (error) {
      this.#noteFailure(mail, error);
      throw error;
    }
  }

  forget(address: string): Promise<void> {
    const lastFailed = this.#counts.lastFailed.filter(({ to }) => to.toLowerCase() !== address.toLowerCase());
    this.#counts = { ...this.#counts, lastFailed };
    return this.#mailer.forget(address);
  }

  close(): Promise<void> {
    return this.#mailer.close();
  }

  #noteFailure({ to, subject }: Mail, cause: unknown): void {
    const at = new Date(this.#clock.now()).toISOString();
    const error = cause instanceof Error ? cause.message : String(cause);
    const { sent, failed, lastFailed } = this.#counts;
    const newest = [{ at, to, subject, error }, ...lastFailed].slice(0, maxFailed);
    this.#counts = { sent, failed: failed + 1, lastFailed: newest };
  }
}
