import path from 'node:path';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { FileMailer } from './file-mailer.js';
import type { Mail, Mailer } from './mailer.js';

export interface MailerOptions {
  readonly home: string;
  readonly mail: HostingConfig['mail'];
  readonly clock: Clock;
  /** Gets each mail that was stored because no mail server is set, and its file. */
  readonly onStored: (mail: Mail, file: string) => void;
}

/** The mailer of a configuration: over SMTP, or files in the data directory. */
export async function openMailer({ home, mail, clock, onStored }: MailerOptions): Promise<Mailer> {
  if (mail === undefined) return new FileMailer(path.join(home, 'mails'), clock, onStored);
  const { SmtpMailer } = await import('./smtp-mailer.js');
  return new SmtpMailer({ ...mail, clock });
}
