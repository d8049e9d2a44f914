import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { FileMailer } from '../../../../src/service/accounts/mail/file-mailer.js';
import type { Mail } from '../../../../src/service/accounts/mail/mailer.js';
import { refusal } from '../../../ledger/ledger-port.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { mail, mailerSuite } from './mailer-port.js';

const root = temporaryFolder();
let folders = 0;

function open() {
  const folder = path.join(root, String(++folders), 'mails');
  const mails: [Mail, string][] = [];
  const mailer = new FileMailer(folder, new FakeClock(), (one, file) => mails.push([one, file]));
  const arrived = async () =>
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const [, to = '', subject = '', body = ''] =
        /^Date: \S+\nTo: (.*)\nSubject: (.*)\n\n([\s\S]*)$/.exec(text) ?? [];
      return { to, subject, text: body };
    });
  return { mailer, arrived, folder, kept: mails };
}

describe('mails that are kept', () => {
  mailerSuite(async () => open());

  test('are files that only their owner can read, and are reported', async () => {
    const { mailer, folder, kept: mails } = open();
    await mailer.send(mail);
    const [name = ''] = readdirSync(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
    assert.deepEqual(mails, [[mail, path.join(folder, name)]]);
  });

  test('are deleted on demand for one address only', async () => {
    const { mailer, folder, arrived } = open();
    await mailer.forget(mail.to);
    await mailer.send(mail);
    await mailer.send({ ...mail, to: mail.to.toUpperCase() });
    await mailer.send({ ...mail, to: 'ann@example.com.example', text: `To: ${mail.to}\n` });
    writeFileSync(path.join(folder, 'notes.txt'), `To: ${mail.to}\n`);
    await mailer.forget(mail.to);
    const recipients = (await arrived()).map(({ to }) => to);
    assert.deepEqual(recipients, ['ann@example.com.example', '']);
  });

  test('report an error if they cannot be stored', async () => {
    const { mailer, folder, kept: mails } = open();
    writeFileSync(path.dirname(folder), 'in the way');
    await assert.rejects(
      mailer.send(mail),
      refusal('internal_error', /cannot be stored in the data directory/),
    );
    assert.deepEqual(mails, []);
  });
});
