import { checkedMail } from '../../src/service/accounts/mail/checked-mail.js';
import type { Mail, Mailer } from '../../src/service/accounts/mail/mailer.js';

/** Stores mails in memory and passes them to a carrier if there is one. Rejects them while `fault` is set. */
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

  async forget(address: string): Promise<void> {
    this.mails.splice(0, Number.POSITIVE_INFINITY, ...this.mails.filter(({ to }) => to !== address));
    await this.#carrier?.forget(address);
  }

  async close(): Promise<void> {
    await this.#carrier?.close();
  }

  /** The token in the newest mail, or in one of those before it. */
  token(at = -1): string {
    return new URL(this.mails.at(at)?.link ?? '').searchParams.get('token') ?? '';
  }

  /** The code in the newest mail, or in one of those before it. */
  code(at = -1): string {
    return (/^(\d{3}) (\d{3})$/m.exec(this.mails.at(at)?.text ?? '') ?? []).slice(1).join('');
  }
}
