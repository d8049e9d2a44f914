import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { endpoints } from '../../../../lib/endpoints.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { casesOf } from '../../../../lib/samples.js';
import { SmtpMailer } from '../../../../src/service/accounts/mail/smtp-mailer.js';
import { freePort } from '../../../support/free-port.js';
import { mailServer } from '../../../support/mail-server.js';
import { dashboardServer } from '../support/server.js';
import { assertAccessible } from './assert-accessible.js';
import { openChromium, skip } from './open-chromium.js';

const place = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();

/** The server on its own port, with a mail server and a browser, which close after the file's tests. */
async function openStage() {
  // The server's mails and commands contain its address, so the port is chosen in advance.
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const mails = await mailServer({ after });
  const smtp = { host: '127.0.0.1', port: mails.port, secure: false, login: undefined };
  const from = { name: 'Extract', address: 'no-reply@example.com' };
  const carrier = new SmtpMailer({ server: smtp, from, clock: systemClock });
  const server = await dashboardServer({ publicAddress: home, carrier });
  await server.app.listen({ port, host: '127.0.0.1' });
  const permissions = ['clipboard-read', 'clipboard-write'];
  return { server, mails, home, ...(await openChromium({ after }, { permissions })) };
}

const stage = skip === false ? await openStage() : null;

describe('somebody new, in a browser', { skip }, () => {
  if (stage === null) return;
  const { server, mails, browser, context, page, home, faults } = stage;
  let secret = '';

  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  test('signs up over a link that came by mail', async () => {
    await page.goto(home);
    await heading('Structured data from public pages');
    await assertAccessible(page);
    await page.getByLabel('Endpoint').selectOption('photosocial/profile');
    await click('Run');
    await page.getByText('username', { exact: true }).waitFor();
    await page.getByText('The answer as JSON').click();
    await assertAccessible(page);
    await follow('Sign in');
    await heading('Sign in');
    await assertAccessible(page);
    await page.getByLabel('E-mail address').fill('Nele@Example.com');
    await click('Send me a link');
    await heading('Check your e-mail');
    await assertAccessible(page);
    assert.deepEqual(mails.envelopes, ['nele@example.com']);
    const [link] = /http:\/\/localhost:\S+/.exec(mails.mails[0]?.text ?? '') ?? [];
    assert.ok(link);

    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(link);
    await other.getByText('You are signing in as nele@example.com.').waitFor();
    await assertAccessible(other);
    await elsewhere.close();

    const [, first, second] = /^(\d{3}) (\d{3})$/m.exec(mails.mails[0]?.text ?? '') ?? [];
    await page.getByLabel('Code').fill(`${first} ${second}`);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await heading('Overview');
    await page.getByText('Welcome. Your address is confirmed').waitFor();
    await assertAccessible(page);
    const cookies = await context.cookies();
    assert.ok(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax'));
  });

  test('makes a key, copies its secret and calls with it', async () => {
    await follow('API keys');
    await heading('API keys');
    await assertAccessible(page);
    await page.getByLabel('Name').fill('First <key>');
    await click('Create key');
    await heading('The key “First <key>”');
    await assertAccessible(page);
    await click('Copy: API key');
    await page.getByText('Copied').waitFor();
    secret = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(secret, /^xt_live_[0-9A-Za-z]{40}$/);

    await server.serve(place);
    const [sample] = await casesOf(place);
    const query = new URLSearchParams({ place_id: String(sample?.params.place_id), language: 'de' });
    const answer = await fetch(`${home}/v1/maps/place?${query}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    assert.equal(answer.status, 200);
  });

  test('works with the keyboard alone, and with the menu of a narrow screen', async () => {
    await page.goto(`${home}/dashboard`);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    await page.setViewportSize({ width: 375, height: 740 });
    const menu = page.getByRole('button', { name: 'Menu' });
    const keys = page.getByRole('link', { name: 'API keys', exact: true }).first();
    assert.equal(await keys.isVisible(), false);
    await menu.focus();
    await page.keyboard.press('Enter');
    await keys.waitFor({ state: 'visible' });
    assert.equal(await menu.getAttribute('aria-expanded'), 'true');
    await assertAccessible(page);
    await page.setViewportSize({ width: 375, height: 740 });
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Menu');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('revokes the key, which fails from then on', async () => {
    await follow('API keys');
    await page.getByRole('link', { name: 'Revoke First <key>' }).click();
    await heading('Revoke “First <key>”?');
    await assertAccessible(page);
    await click('Revoke the key');
    await page.getByText('The key is revoked.').waitFor();
    await assertAccessible(page);
    const answer = await fetch(`${home}/v1/account`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(answer.status, 401);
  });

  test('signs out, and has to sign in again', async () => {
    await click('Sign out');
    await page.getByText('You are signed out.').waitFor();
    await page.goto(`${home}/dashboard/keys`);
    await heading('Sign in');
    assert.equal(new URL(page.url()).search, '?next=%2Fdashboard%2Fkeys');
    assert.deepEqual(faults, []);
  });
});
