import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { unmeasured } from '../../../../lib/ledger/call-row.js';
import { maxKeyNameLength } from '../../../../src/service/accounts/accounts.js';
import { maxJobNameLength } from '../../../../src/service/jobs/job-limits.js';
import type { CallFunction } from '../../../../src/service/jobs/runner/run-input.js';
import { awaitJob, echo, makeJob, numbered } from '../../../service/jobs/harness.js';
import { jobsServer } from '../support/jobs-server.js';
import { assertAccessible } from './assert-accessible.js';
import { cookiesAt, openChromium, skip } from './open-chromium.js';

/** Inputs that begin with `bad` fail, and those that begin with `slow` never end. */
const ask: CallFunction = (endpoint, params, caller, signal) => {
  const query = String(params.query);
  if (query.startsWith('bad')) throw new ExtractError('place_not_found');
  if (!query.startsWith('slow')) return echo(endpoint, params, caller, signal);
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
};

/** A server with something on each page, the addresses of those pages, and the cookies that open them. */
async function furnished(t: TestContext) {
  const all = await jobsServer(t, {
    ask,
    services: { docsBase: 'http://127.0.0.1' },
    settings: { EXTRACT_PACK_PRICES: '50000=49.00,250000=199.00' },
    webhookAllow: ['hooks.example'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const base = await all.app.listen({ host: '127.0.0.1', port: 0 });
  const { browser, account } = await all.signedIn();
  const owner = { account: account.id, secret: '', key: { id: 'key_1', name: 'first' } };
  const webhookUrl = `https://hooks.example:1/${'hook'.repeat(30)}`;
  const done = await makeJob(all, owner, [...numbered(20), ...numbered(5, 'bad')], { webhookUrl });
  await awaitJob(all, owner, done);
  await all.jobs.links.create(account.id, { type: 'job', id: done }, 'table');
  const running = await makeJob(all, owner, [...numbered(5), ...numbered(5, 'slow')], { webhookUrl });
  // The longest names that a form takes, in one piece.
  await makeJob(all, owner, numbered(1), { name: 'W'.repeat(maxJobNameLength) });
  const { key: apiKey } = await all.accounts.createKey({
    ...{ account: account.id, name: 'W'.repeat(maxKeyNameLength), platforms: null },
  });
  const { key } = await all.accounts.createKey({
    ...{ account: account.id, name: 'a key with a limit', platforms: ['maps'], monthlyCredits: 1000 },
  });
  await all.ledger.pay({
    ...{ id: 'req_walk', account: account.id, endpoint: 'maps/place', credits: 3, needsPack: false },
    ...{ at: all.clock.now(), key, measures: { duration_ms: 12_345 } },
  });
  all.opened.refusedCalls.note({
    ...{ id: 'req_refused', account: account.id, endpoint: 'photosocial/comments', code: 'rate_limited' },
    ...{ created_at: new Date(all.clock.now()).toISOString(), api_key: apiKey, ...unmeasured },
  });
  const { payments, admin } = all.hosting;
  await payments.begin(account.id, 50_000, account.email);
  const paid = await payments.confirmByHand(account.id, 50_000);
  const { purchase: open } = await payments.begin(account.id, 250_000, account.email);
  const form = await browser.get('/dashboard/jobs/new');
  const values = { endpoint: 'maps/harbours', format: 'ndjson' };
  const text = '{"query":"a"}\n{"place":"b"}';
  const draft = await browser.submit(form, 'main form', { ...values, text });
  const repeated = await browser.submit(form, 'main form', {
    ...{ endpoint: 'maps/harbours', format: 'text' },
    ...{ text: 'quay\npier', schedule: '6h', name: 'W'.repeat(maxJobNameLength) },
  });
  await browser.submit(repeated, 'main form');
  const faulty = await browser.submit(form, 'main form', { ...values, text: 'no json' });
  all.mailer.fault = new Error('the mail server is gone');
  const visitor = all.browser();
  const email = `${'somebody.'.repeat(6)}s@a.subdomain.of.example.com`;
  await visitor.submit(await visitor.get('/sign-in'), 'form', { email });
  all.mailer.fault = undefined;
  const adminLink = `/admin/sign-in?token=${await admin.createLink()}`;
  await browser.submit(await browser.get(adminLink), 'main form');
  return {
    base,
    links: `/dashboard/jobs/${done}/links`,
    cookies: cookiesAt(base, browser.jar.getCookiesSync('http://localhost')),
    pages: [
      ...['/dashboard/jobs', '/dashboard/jobs/new', draft.url, faulty.url, '/dashboard/jobs/drafts/none'],
      ...[`/dashboard/jobs/${done}`, `/dashboard/jobs/${running}`, `/dashboard/jobs/${running}/cancel`],
      '/dashboard/schedules',
      ...['/dashboard/requests', '/dashboard/requests/req_refused', `/dashboard/requests?job=${done}`],
      ...['/dashboard/keys', `/dashboard/keys/${key.id}/limit`],
      ...['/dashboard/packs', `/dashboard/packs/${open.id}`, `/dashboard/packs/${paid.id}`],
      ...['/dashboard/settings', '/dashboard/settings/delete'],
      ...['/admin', '/admin/accounts', `/admin/accounts/${account.id}`, '/admin/jobs', '/admin/sign-in'],
    ],
  };
}

test('pages of jobs, packs, settings and the operator are for everybody', { skip }, async (t) => {
  const { base, cookies, pages, links } = await furnished(t);
  const { context, page, faults } = await openChromium(t);
  await context.addCookies(cookies);
  for (const url of [...pages, links]) {
    await page.goto(base + url);
    await page.locator('h1').waitFor();
    await assertAccessible(page);
  }
  await page.getByRole('button', { name: 'Create a table link' }).click();
  await page.getByText('=IMPORTDATA').waitFor();
  await assertAccessible(page);
  await page.goto(`${base}/dashboard/settings`);
  await page.getByRole('button', { name: 'Create a secret' }).click();
  await page.getByText('whsec_').waitFor();
  await assertAccessible(page);
  assert.deepEqual(faults, []);
});
