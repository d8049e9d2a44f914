import type { Mail, Mailer } from '../../src/accounts/mail/mailer.js';

/** Keeps mails in memory, and refuses them while `fault` is set. */
export class MemoryMailer implements Mailer {
  readonly mails: Mail[] = [];
  fault: Error | undefined;

  async send(mail: Mail): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.mails.push(mail);
  }

  async close(): Promise<void> {}

  /** The token in the newest mail. */
  token(): string {
    return new URL(this.mails.at(-1)?.link ?? '').searchParams.get('token') ?? '';
  }
}
