import { createTransport } from 'nodemailer';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { HostingConfig, SmtpServer } from '../../../config/hosting-config.js';
import { checkedMail } from './checked-mail.js';
import { MailSockets } from './mail-sockets.js';
import type { Mail, Mailer } from './mailer.js';

interface SmtpTimeouts {
  /** Milliseconds for TLS and the server's greeting. */
  readonly connectMs: number;
  /** Milliseconds without data from the server. */
  readonly silenceMs: number;
  /** Milliseconds in total, including connecting. */
  readonly maxMs: number;
}

export interface SmtpOptions extends NonNullable<HostingConfig['mail']> {
  readonly clock: Clock;
  readonly timeouts?: SmtpTimeouts;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 10_000, silenceMs: 15_000, maxMs: 30_000 };
const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Appended if the settings may be wrong. */
const check = '; check EXTRACT_SMTP_URL';

const reasons: Readonly<Record<string, string>> = {
  EAUTH: `the mail server rejects the user name and password${check}`,
  ECONNECTION: `the mail server cannot be reached${check}`,
  ECONNREFUSED: `the mail server cannot be reached${check}`,
  ENOTFOUND: `the mail server cannot be found${check}`,
  EENVELOPE: 'the mail server rejects the sender; check EXTRACT_MAIL_FROM',
  EMESSAGE: 'the mail server rejects the e-mail; see its log',
  ESOCKET: `the connection to the mail server failed${check}`,
  ETIMEDOUT: `the mail server did not respond in time${check}`,
  ETLS: `the certificate of the mail server is not trusted${check}`,
};

interface SmtpFault {
  readonly code?: string;
  readonly message?: string;
  /** The server's reply code, and the command that it answers. */
  readonly responseCode?: number;
  readonly command?: string;
}

/** Returns why a mail was not accepted. A rejected recipient is no reason to check the settings. */
function reasonOf({ code = '', responseCode = 0, command }: SmtpFault): string {
  if (code === 'EENVELOPE' && command === 'RCPT TO')
    return responseCode >= 400 && responseCode < 500
      ? `the mail server accepts no e-mail for this recipient now (${responseCode}). Try again later`
      : `the mail server rejects the recipient’s address${responseCode === 0 ? '' : ` (${responseCode})`}`;
  return reasons[code] ?? `the mail server failed${check}`;
}

/**
 * Returns true if STARTTLS is mandatory, because a password is sent to another machine. Otherwise it is opportunistic.
 */
export function mustEncrypt({ host, secure, login }: SmtpServer): boolean {
  return !secure && login !== undefined && !thisMachine.test(host);
}

/** Sends mail to an SMTP server, over a connection per mail. */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  readonly #sockets: MailSockets;
  readonly #transport;

  constructor(options: SmtpOptions) {
    const { server, clock, timeouts = defaultTimeouts, ca } = options;
    const { host, port, secure, login } = server;
    this.#options = options;
    this.#sockets = new MailSockets({ host, port, clock, maxMs: timeouts.maxMs });
    this.#transport = createTransport({
      host,
      port,
      secure,
      requireTLS: mustEncrypt(server),
      ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
      tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
      connectionTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.connectMs,
      socketTimeout: timeouts.silenceMs,
      getSocket: this.#sockets.connect,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(draft: Mail): Promise<void> {
    const { to, subject, text } = checkedMail(draft);
    try {
      await this.#transport.sendMail({
        ...{ from: this.#options.from, to, subject, text },
        // Prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (cause) {
      throw this.#fault(cause);
    }
  }

  /** Connects and signs in without sending. Rejects with the reason if the server would accept no mail. */
  async verify(): Promise<void> {
    try {
      await this.#transport.verify();
    } catch (cause) {
      throw this.#fault(cause);
    }
  }

  async forget(): Promise<void> {}

  async close(): Promise<void> {
    this.#transport.close();
    this.#sockets.destroy();
  }

  /** Returns the error for a failure: its code is for the caller, the server's words are for the log. */
  #fault(cause: unknown): ExtractError {
    const fault = cause as SmtpFault;
    return new ExtractError('internal_error', `The e-mail could not be sent: ${reasonOf(fault)}.`, {
      // The original error may repeat what was sent to the server.
      cause: new Error(this.#withoutPassword(fault.message ?? '')),
    });
  }

  #withoutPassword(text: string): string {
    const { login } = this.#options.server;
    if (login === undefined || login.password === '') return text;
    const { user, password } = login;
    const forms = [password, ...[password, `\0${user}\0${password}`].map((form) => base64(form))];
    return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
