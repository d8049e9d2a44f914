import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkMail } from '../../../src/faces/doctor/check-mail.js';
import { mailServer } from '../../support/mail-server.js';

const settings = (url: string) => ({ EXTRACT_SMTP_URL: url, EXTRACT_MAIL_FROM: 'extract@example.com' });

describe('the mail server', () => {
  test('is not checked without a mail server', async () => {
    assert.deepEqual(await checkMail({}), []);
  });

  test('answers, and gets no mail', async (t) => {
    const server = await mailServer(t);
    const [finding] = await checkMail(settings(`smtp://127.0.0.1:${server.port}`));
    assert.deepEqual([finding?.status, finding?.message], ['ok', `127.0.0.1:${server.port} answers`]);
    assert.equal(server.mails.length, 0);
  });

  test('fails with the reason', async () => {
    const [finding] = await checkMail(settings('smtp://127.0.0.1:1'));
    assert.equal(finding?.status, 'failed');
    assert.match(finding?.message ?? '', /127\.0\.0\.1:1: .*check EXTRACT_SMTP_URL/);
  });
});
