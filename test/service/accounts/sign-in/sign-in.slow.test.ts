import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CodeResult } from '../../../../src/service/accounts/sign-in/sign-in.js';
import { refusal } from '../../../ledger/ledger-port.js';
import { storeKinds } from '../../../support/stores.js';
import { email, hosted } from '../hosted.js';

const minute = 60_000;
const ask = { email, address: '203.0.113.7', next: '/keys' };

/** Returns the attempts left after a wrong code. */
async function triesLeftOf(guess: Promise<CodeResult>): Promise<number> {
  const result = await guess;
  assert.ok(result.signedIn === null);
  return result.triesLeft;
}

for (const kind of storeKinds)
  describe(`signing in, ${kind.name}`, { skip: kind.skip }, () => {
    test('the first time makes the account, confirms it and grants the trial once', async () => {
      const { signIn, mailer, accounts, money, state, enter } = await hosted(kind);
      await signIn.request({ ...ask, email: ' Ann@Example.com ' });
      const [mail] = mailer.mails;
      assert.ok(mail);
      assert.equal(mail.to, email);
      assert.match(mail.link ?? '', /^https:\/\/x\.test\/sign-in\/confirm\?token=[\w-]{43}$/);
      assert.ok(mail.text.includes(mail.link ?? '-'));
      assert.equal(await accounts.find(email), null);
      const signed = await signIn.confirm(mailer.token(), 'Mozilla/5.0 (X11)');
      assert.ok(signed);
      assert.deepEqual([signed.isNew, signed.next], [true, '/keys']);
      const { session } = signed;
      assert.match(session.id, /^ses_[0-9A-Z]{26}$/);
      assert.deepEqual(session, {
        ...{ id: session.id, account: session.account, email, browser: 'Mozilla/5.0 (X11)' },
        ...{ created_at: '2026-06-01T12:00:00.000Z', last_used_at: '2026-06-01T12:00:00.000Z' },
      });
      const account = await accounts.find(email);
      assert.deepEqual([account?.id, account?.verified, account?.credits], [session.account, true, 500]);
      const again = await enter();
      assert.deepEqual([again.isNew, again.session.account], [false, session.account]);
      assert.equal(await money.credits(session.account), 500);
      await state.assertSound();
    });

    test('confirms an account that the operator made', async () => {
      const { accounts, create, enter } = await hosted(kind);
      const user = await create({ verified: false });
      const { isNew, session } = await enter();
      assert.deepEqual([isNew, session.account], [false, user.id]);
      const account = await accounts.find(email);
      assert.deepEqual([account?.verified, account?.credits], [true, 500]);
    });

    test('works once, for a quarter of an hour', async () => {
      const { signIn, mailer, clock } = await hosted(kind);
      await signIn.request(ask);
      const token = mailer.token();
      await clock.advance(15 * minute - 1);
      assert.ok(await signIn.confirm(token, ''));
      assert.equal(await signIn.confirm(token, ''), null);
      await signIn.request(ask);
      await clock.advance(15 * minute);
      assert.equal(await signIn.confirm(mailer.token(), ''), null);
    });

    test('works once, however many open the link at the same moment', async () => {
      const { signIn, mailer, accounts } = await hosted(kind);
      await signIn.request(ask);
      const token = mailer.token();
      const all = await Promise.all(Array.from({ length: 50 }, () => signIn.confirm(token, '')));
      assert.equal(all.filter((one) => one !== null).length, 1);
      assert.equal((await accounts.find(email))?.credits, 500);
    });

    test('works in any browser, and looking at the link does not use it up', async () => {
      const { signIn, mailer, accounts } = await hosted(kind);
      await signIn.request(ask);
      const token = mailer.token();
      for (let count = 0; count < 3; count += 1) assert.equal(await signIn.findAddress(token), email);
      assert.equal(await accounts.find(email), null);
      assert.ok(await signIn.confirm(token, 'A phone'));
      assert.equal(await signIn.findAddress(token), null);
    });

    test('works by the code of the mail, in the browser that asked, once', async () => {
      const { signIn, mailer, clock } = await hosted(kind);
      const { browser } = await signIn.request(ask);
      const code = mailer.code();
      const { browser: other } = await signIn.request({ ...ask, email: 'eve@example.com' });
      for (const secret of [undefined, '', 'x', other, `${browser}x`]) {
        assert.equal((await signIn.confirmCode(code, secret, '')).signedIn, null, String(secret));
      }
      const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
      const { signedIn } = await signIn.confirmCode(typed, browser, 'Mozilla');
      assert.deepEqual([signedIn?.session.email, signedIn?.session.browser], [email, 'Mozilla']);
      assert.equal((await signIn.confirmCode(code, browser, '')).signedIn, null);
      assert.equal(await signIn.confirm(mailer.token(-2), ''), null, 'the link went with its code');
      await signIn.request({ ...ask, browser });
      const late = mailer.code();
      await clock.advance(15 * minute);
      assert.equal((await signIn.confirmCode(late, browser, '')).signedIn, null);
    });

    test('accepts five wrong codes, and the link still works', async () => {
      const { signIn, mailer } = await hosted(kind);
      const { browser } = await signIn.request(ask);
      const code = mailer.code();
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
      const triesLeft: number[] = [];
      for (const one of [wrong, '', 'x', code.slice(1), `${code}0`])
        triesLeft.push(await triesLeftOf(signIn.confirmCode(one, browser, '')));
      assert.deepEqual(triesLeft, [4, 3, 2, 1, 0]);
      assert.equal((await signIn.confirmCode(code, browser, '')).signedIn, null);
      assert.ok(await signIn.confirm(mailer.token(), ''));
    });

    test('gives strangers few guesses, and leaves the owner’s code valid', async () => {
      const { signIn, mailer } = await hosted(kind);
      const { browser: ownBrowser } = await signIn.request(ask);
      const code = mailer.code();
      let guesses = 0;
      for (let stranger = 0; stranger < 30; stranger += 1) {
        const asking = signIn.request({ ...ask, address: `198.51.100.${stranger}` });
        const { browser } = await asking.catch(() => ({ browser: undefined }));
        if (browser === undefined) continue;
        for (; (await triesLeftOf(signIn.confirmCode('no code', browser, ''))) > 0; guesses += 1);
      }
      assert.ok(guesses < 30, `${guesses} guesses`);
      assert.ok((await signIn.confirmCode(code, ownBrowser, '')).signedIn);
    });

    test('accepts a code of the three newest mails of its browser', async () => {
      const { signIn, mailer, clock } = await hosted(kind);
      const { browser } = await signIn.request(ask);
      for (let mail = 1; mail < 5; mail += 1) {
        await clock.advance(1000);
        await signIn.request({ ...ask, email: `a${mail}@example.com`, browser });
      }
      for (const old of [-5, -4]) {
        assert.equal((await signIn.confirmCode(mailer.code(old), browser, '')).signedIn, null);
      }
      assert.ok((await signIn.confirmCode(mailer.code(-3), browser, '')).signedIn);
      assert.ok(await signIn.confirm(mailer.token(-5), ''), 'the links of earlier mails work');
    });

    test('accepts five wrong codes in total, however many arrive together', async () => {
      const { signIn, mailer } = await hosted(kind);
      const { browser } = await signIn.request(ask);
      const results = await Promise.all(
        Array.from({ length: 20 }, () => triesLeftOf(signIn.confirmCode('no code', browser, ''))),
      );
      assert.deepEqual(results.filter((tries) => tries > 0).toSorted(), [1, 2, 3, 4]);
      assert.equal((await signIn.confirmCode(mailer.code(), browser, '')).signedIn, null);
    });

    test('rejects an invalid token', async () => {
      const { signIn, mailer } = await hosted(kind);
      await signIn.request(ask);
      const token = mailer.token();
      const wrong = ['', 'x', `${token}x`, token.slice(1), ...['ü', 'A', '\0'].map((one) => one.repeat(43))];
      for (const one of wrong) assert.equal(await signIn.confirm(one, ''), null, one);
    });

    test('requested twice accepts either mail, by link or code', async () => {
      const { signIn, mailer } = await hosted(kind);
      const first = await signIn.request(ask);
      const [token, code] = [mailer.token(), mailer.code()];
      const second = await signIn.request({ ...ask, browser: first.browser });
      assert.equal(second.browser, first.browser);
      const third = await signIn.request({ ...ask, browser: first.browser });
      const last = mailer.code();
      assert.ok(await signIn.confirm(token, ''));
      assert.equal((await signIn.confirmCode(code, third.browser, '')).signedIn, null);
      assert.ok((await signIn.confirmCode(last, third.browser, '')).signedIn);
      assert.ok(await signIn.confirm(mailer.token(-2), ''));
      const odd = await signIn.request({ ...ask, browser: 'chosen by somebody else' });
      assert.match(odd.browser, /^[\w-]{43}$/);
    });

    test('leaves no secret in the tables, nor whom the mails went to', async () => {
      const { signIn, mailer, state } = await hosted(kind);
      const { browser } = await signIn.request(ask);
      const [token, code] = [mailer.token(), mailer.code()];
      const signed = await signIn.confirm(token, '');
      await signIn.request({ ...ask, email: 'bob@example.com' });
      for (const table of ['sign_in_links', 'sign_in_mails', 'sessions', 'users']) {
        const rows = await state.rows<Record<string, unknown>>(`SELECT * FROM ${table}`);
        assert.ok(rows.length > 0, table);
        const values = rows
          .flatMap((row) => Object.values(row))
          .map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value))));
        for (const secret of [token, browser, signed?.secret ?? '', mailer.token(), '203.0.113.7', code]) {
          const forms = [Buffer.from(secret.slice(0, 20)), Buffer.from(secret, 'base64url')];
          for (const form of forms.slice(0, secret.length > 40 ? 2 : 1)) {
            assert.ok(!values.some((value) => value.includes(form)), `${table} ${secret}`);
          }
        }
      }
    });

    test('refuses an invalid address', async () => {
      const { signIn, mailer } = await hosted(kind);
      const lines = 'a@example.com\r\nBcc: b@example.com';
      for (const one of ['', 'ann', 'ann@', 'a b@example.com', lines, `${'a'.repeat(250)}@x.io`]) {
        await assert.rejects(signIn.request({ ...ask, email: one }), refusal('invalid_parameter'), one);
      }
      assert.deepEqual(mailer.mails, []);
    });

    test('refuses addresses of disposable services unless the operator allows them', async () => {
      const { signIn, mailer, create } = await hosted(kind);
      for (const one of ['a@mailinator.com', 'a@sub.sub.mailinator.com', 'A@MAILINATOR.COM']) {
        await assert.rejects(signIn.request({ ...ask, email: one }), refusal('disposable_email'), one);
      }
      // The operator may; the answer stays the same, so that it tells nothing.
      await create({ email: 'a@mailinator.com' });
      const again = signIn.request({ ...ask, email: 'a@mailinator.com' });
      await assert.rejects(again, refusal('disposable_email'));
      assert.deepEqual(mailer.mails, []);
      await signIn.request({ ...ask, email: 'a@mailinator.com.example.org' });
      const allowing = await hosted(kind, { settings: { EXTRACT_EMAIL_ALLOW: 'mailinator.com' } });
      await allowing.signIn.request({ ...ask, email: 'a@mailinator.com' });
      await allowing.signIn.request({ ...ask, email: 'a@sub.mailinator.com' });
    });

    test('reports a mail that cannot be sent, which does not count for the address', async () => {
      const { signIn, mailer, count } = await hosted(kind);
      mailer.fault = new ExtractError('internal_error', 'The e-mail could not be sent.');
      for (let time = 0; time < 7; time += 1)
        await assert.rejects(signIn.request(ask), refusal('internal_error'));
      mailer.fault = undefined;
      assert.equal(await count('sign_in_links'), 0);
      for (let time = 0; time < 5; time += 1) await signIn.request(ask);
      await assert.rejects(signIn.request(ask), refusal('rate_limited'));
    });

    test('forgets links and mails whose time is over', async () => {
      const { signIn, clock, count } = await hosted(kind);
      for (let time = 0; time < 4; time += 1) await signIn.request(ask);
      await clock.advance(61 * minute);
      await signIn.request(ask);
      assert.deepEqual([await count('sign_in_links'), await count('sign_in_mails')], [1, 3]);
    });
  });
