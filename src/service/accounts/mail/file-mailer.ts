import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeTime, ulid } from 'ulid';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { makeFolder } from '../../../../lib/runtime/make-folder.js';
import { namesIn } from '../../../../lib/runtime/names-in.js';
import type { HostingConfig } from '../../../config/hosting-config.js';
import { checkedMail } from './checked-mail.js';
import type { Mail, Mailer } from './mailer.js';

/** A ULID, which begins with its time. */
const mailName = /^[0-9A-HJKMNP-TV-Z]{26}\.txt$/;

export const mailFolder = (home: string) => path.join(home, 'mails');

const mailsIn = async (folder: string) => (await namesIn(folder)).filter((name) => mailName.test(name));

/** Deletes stored mail older than `before`, including mail from when no mail server was configured. */
export async function deleteOldMails(home: string, before: number): Promise<void> {
  const folder = mailFolder(home);
  for (const name of await mailsIn(folder))
    if (decodeTime(name.slice(0, 26)) < before) await rm(path.join(folder, name), { force: true });
}

/** Stores mail in files that only their owner can read, if no mail server is configured. */
export class FileMailer implements Mailer {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #onStored: (mail: Mail, file: string) => void;

  /** Called with each mail and its file, so that the operator can be shown the link. */
  constructor(folder: string, clock: Clock, onStored: (mail: Mail, file: string) => void) {
    this.#folder = folder;
    this.#clock = clock;
    this.#onStored = onStored;
  }

  async send(draft: Mail): Promise<void> {
    const mail = checkedMail(draft);
    const now = this.#clock.now();
    const file = path.join(this.#folder, `${ulid(now)}.txt`);
    const head = [`Date: ${new Date(now).toISOString()}`, `To: ${mail.to}`, `Subject: ${mail.subject}`];
    try {
      makeFolder(this.#folder);
      await writeFile(file, `${head.join('\n')}\n\n${mail.text}`, { mode: 0o600, flag: 'wx' });
    } catch (cause) {
      throw new ExtractError('internal_error', 'The e-mail cannot be stored in the data directory.', {
        cause,
      });
    }
    this.#onStored(mail, file);
  }

  async forget(address: string): Promise<void> {
    for (const name of await mailsIn(this.#folder)) {
      const file = path.join(this.#folder, name);
      // The sweep may have removed it.
      const [, to] = /^To: (.*)$/m.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
      // The address may have been entered for alerts with different capitals.
      if (to?.toLowerCase() === address.toLowerCase()) await rm(file, { force: true });
    }
  }

  async close(): Promise<void> {}
}

export interface MailerOptions {
  readonly home: string;
  readonly mail: HostingConfig['mail'];
  readonly clock: Clock;
  /** Called with each mail that was stored because no mail server is configured, and its file. */
  readonly onStored: (mail: Mail, file: string) => void;
}

/** Opens the configured mailer: SMTP, or files in the data directory. */
export async function openMailer({ home, mail, clock, onStored }: MailerOptions): Promise<Mailer> {
  if (mail === undefined) return new FileMailer(mailFolder(home), clock, onStored);
  const { SmtpMailer } = await import('./smtp-mailer.js');
  return new SmtpMailer({ ...mail, clock });
}
