import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail, Mailer } from '../../../../src/service/accounts/mail/mailer.js';
import { refusal } from '../../../ledger/ledger-port.js';

export interface Arrived {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export const mail: Mail = {
  to: 'ann@example.com',
  subject: 'Sign in',
  text: 'Open this:\n\nhttps://x.test/a\n',
};

/** What every mailer promises. `arrived` gives the mails that came out at its other end, in order. */
export function mailerSuite(
  open: () => Promise<{ mailer: Mailer; arrived: () => Promise<readonly Arrived[]> }>,
): void {
  test('a mail arrives unchanged, including non-ASCII text', async () => {
    const { mailer, arrived } = await open();
    const mail = {
      to: 'ann+x@example.com',
      subject: 'Grüße – 挨拶',
      text: `${'Zeile ü '.repeat(200)}\nlast\n`,
    };
    await mailer.send(mail);
    assert.deepEqual(await arrived(), [mail]);
    await mailer.close();
  });

  test('many concurrent mails arrive, each once', async () => {
    const { mailer, arrived } = await open();
    const mails = Array.from({ length: 12 }, (_, at) => ({ ...mail, to: `a${at}@example.com` }));
    await Promise.all(mails.map((one) => mailer.send(one)));
    const came = (await arrived()).map(({ to }) => to);
    assert.deepEqual(came.toSorted(), mails.map(({ to }) => to).toSorted());
    await mailer.close();
  });

  test('no header can be slipped in, and no second address', async () => {
    const { mailer, arrived } = await open();
    const bad: Partial<Mail>[] = [
      { to: 'ann@example.com\r\nBcc: eve@example.com' },
      { to: 'ann@example.com, eve@example.com' },
      { to: 'Ann <ann@example.com>' },
      { to: '' },
      { subject: 'Hello\r\nBcc: eve@example.com' },
      { subject: 'Hello\nX: y' },
      { subject: 'Hello\u0000' },
      { subject: '' },
      { subject: 'x'.repeat(201) },
    ];
    for (const change of bad) {
      await assert.rejects(
        mailer.send({ ...mail, ...change }),
        refusal('internal_error'),
        JSON.stringify(change),
      );
    }
    assert.deepEqual(await arrived(), []);
    await mailer.close();
  });
}
