import type { Environment } from '../../../lib/config-values.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { readHostingConfig } from '../../config/hosting-config.js';
import { type Finding, failed, ok } from './finding.js';

/** Checks whether the mail server accepts the connection, greeting and password; no findings if none is configured. */
export async function checkMail(env?: Environment): Promise<readonly Finding[]> {
  let mail: ReturnType<typeof readHostingConfig>['mail'];
  try {
    ({ mail } = readHostingConfig(env));
  } catch (error) {
    // `checkSettings` reports it.
    if (error instanceof ExtractError) return [];
    throw error;
  }
  if (mail === undefined) return [];
  const { SmtpMailer } = await import('../../service/accounts/mail/smtp-mailer.js');
  const mailer = new SmtpMailer({ ...mail, clock: systemClock });
  const { host, port } = mail.server;
  try {
    await mailer.verify();
    return [ok('mail', `${host}:${port} answers`)];
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const next = 'Until then, no sign-in links or alerts are sent. Correct EXTRACT_SMTP_URL.';
    return [failed('mail', `${host}:${port}: ${error.message}`, next)];
  } finally {
    await mailer.close();
  }
}
