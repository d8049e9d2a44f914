import { checkedMail } from '../../src/accounts/mail/checked-mail.js';
import type { Mail, Mailer } from '../../src/accounts/mail/mailer.js';

/** Keeps mails in memory, hands them on to a carrier if there is one, and refuses them while `fault` is set. */
export class MemoryMailer implements Mailer {
  readonly mails: Mail[] = [];
  fault: Error | undefined;
  readonly #carrier: Mailer | undefined;

  constructor(carrier?: Mailer) {
    this.#carrier = carrier;
  }

  async send(mail: Mail): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.mails.push(checkedMail(mail));
    await this.#carrier?.send(mail);
  }

  async close(): Promise<void> {
    await this.#carrier?.close();
  }

  /** The token in the newest mail. */
  token(): string {
    return new URL(this.mails.at(-1)?.link ?? '').searchParams.get('token') ?? '';
  }
}
