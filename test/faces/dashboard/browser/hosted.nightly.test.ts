import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { verifyWebhook } from '../../../../lib/webhook.js';
import { authority } from '../../../support/authority.js';
import { bodyOf, loopback } from '../../../support/loopback.js';
import { mailServer } from '../../../support/mail-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { assertAccessible } from './assert-accessible.js';
import { skip } from './chromium.js';
import { openChromium } from './open-chromium.js';

const home = temporaryFolder();
const command = path.join(packageRoot(), 'bin', 'extract.js');

/** `extract serve` as an operator runs it, and `extract` beside it on the same data directory. */
async function hosted(t: TestContext, settings: Readonly<Record<string, string>>) {
  const env = { ...process.env, EXTRACT_HOME: home, EXTRACT_PORT: '0', ...settings };
  const child = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [, found] = pattern.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stderr.on('data', look);
      void ended.then(() => reject(new Error(`it ended: ${output}`)));
      look();
    });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdout.resume();
  const base = (await printed(/Listening on (\S+)\n/)).replace('127.0.0.1', 'localhost');
  const adminLink = await printed(/Admin page, once: (\S+)\n/);
  const extract = (...args: string[]) => promisify(execFile)(process.execPath, [command, ...args], { env });
  return { base, adminLink, extract };
}

/** 200 inputs, of which every fiftieth is none that the endpoint takes. */
const inputs = Array.from(
  { length: 200 },
  (_, at) => `place ${at},true,${at % 50 === 49 ? 'english' : 'en'}`,
);

test('somebody signs up, runs a batch of 200, buys a pack and ends a session', {
  skip,
}, async (t) => {
  const folder = temporaryFolder();
  const ca = authority(folder);
  const received: { readonly body: string; readonly signature: string }[] = [];
  const hooks = await loopback(
    t,
    (request, response) => {
      void bodyOf(request).then((body) => {
        received.push({ body, signature: String(request.headers['extract-signature']) });
        response.writeHead(204).end();
      });
    },
    ca.issue('localhost'),
  );
  const mails = await mailServer(t);
  const { base, adminLink, extract } = await hosted(t, {
    EXTRACT_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    EXTRACT_MAIL_FROM: 'Extract <no-reply@example.com>',
    EXTRACT_PACK_PRICES: '50000=49.00',
    EXTRACT_PAYMENT_TEXT: 'Pay at the desk.',
    EXTRACT_WEBHOOK_ALLOW: 'localhost',
    NODE_EXTRA_CA_CERTS: ca.file,
    NO_PROXY: 'localhost,127.0.0.1',
  });
  const { context, page, faults } = await openChromium(t, { acceptDownloads: true });

  await t.test('signs in by the link in the mail', async () => {
    await page.goto(`${base}/dashboard/jobs`);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    const [link = ''] = /http:\/\/\S+/.exec(mails.mails[0]?.text ?? '') ?? [];
    await page.goto(link);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('your trial credits are here').waitFor();
    assert.equal(new URL(page.url()).pathname, '/dashboard/jobs');
  });

  let secret = '';
  await t.test('makes a signing secret, shown once', async () => {
    await page.goto(`${base}/dashboard/settings`);
    await page.getByRole('button', { name: 'Create a secret' }).click();
    secret = (await page.locator('.code code').first().textContent()) ?? '';
    assert.match(secret, /^whsec_/);
    await page.getByRole('link', { name: 'Back to the settings' }).click();
    assert.ok(!(await page.content()).includes(secret));
  });

  await t.test('is told that 500 credits are not enough for a batch of 200', async () => {
    await page.goto(`${base}/dashboard/jobs/new?endpoint=maps%2Fplaces`);
    await page.getByLabel('Or paste them').fill(inputs.map((line) => line.split(',')[0]).join('\n'));
    await page.getByRole('button', { name: 'Show the price' }).click();
    await page.getByText('100 credits short').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send the job' }).count(), 0);
  });

  await t.test('buys a pack by hand: the page becomes the receipt when the operator confirms', async () => {
    await page.goto(`${base}/dashboard/packs`);
    await page.getByLabel('Company').fill('Example Ltd');
    await page.getByLabel('Tax number').fill('GB1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your next receipts will show').waitFor();
    await page.getByText('€0.980 per 1,000 credits').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Order 50,000 credits' }).click();
    await page.getByText('Pay at the desk.').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Withdraw the order' }).click();
    await page.getByText('The order is withdrawn.').waitFor();
    await page.getByRole('button', { name: 'Order 50,000 credits' }).click();
    await page.getByText('Pay at the desk.').waitFor();
    await extract('accounts', 'credit', '--email', 'ada@example.com', '--credits', '50000');
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    const receipt = await page.locator('main').innerText();
    assert.match(receipt, /Receipt 1\b[\s\S]*€49\.00[\s\S]*Example Ltd, ada@example\.com[\s\S]*GB1/);
    await assertAccessible(page);
  });

  await t.test('uploads 200 lines, sees the price first, and sees them finish', async () => {
    await page.goto(`${base}/dashboard/jobs/new?endpoint=maps%2Fplaces`);
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'places.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['query,demo,language', ...inputs].join('\n')),
    });
    await page.getByLabel('Webhook URL').fill(`https://localhost:${hooks.port}/hook`);
    await page.getByRole('button', { name: 'Show the price' }).click();
    await page.getByText('4 inputs would fail').waitFor();
    await page.getByText('Line 51: The parameter language must be a two-letter code.').waitFor();
    await page.getByRole('button', { name: 'Send the job' }).dblclick();
    await page.locator('main .badge', { hasText: 'Done' }).waitFor();
    await page.locator('main .badge', { hasText: 'Delivered' }).waitFor();
    const main = await page.locator('main').innerText();
    assert.match(main, /200 of 200 inputs/);
    assert.equal(await page.locator('tbody tr', { hasText: 'invalid_parameter' }).count(), 4);
    const jobUrl = page.url();
    await page.goto(`${base}/dashboard/jobs`);
    assert.equal(await page.locator('tbody tr').count(), 1, 'a double click is one job');
    await page.goto(jobUrl);
  });

  await t.test('downloads the results, a line an input', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'NDJSON', exact: true }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 200);
    assert.match(download.suggestedFilename(), /^job_\w+\.ndjson$/);
    assert.equal(JSON.parse(lines[7] ?? '').input.query, 'place 7');
    assert.equal(lines.filter((line) => 'error' in JSON.parse(line)).length, 4);
  });

  await t.test('has the webhook sent again, signed with the secret', async () => {
    assert.equal(received.length, 1);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.locator('tbody tr', { hasText: '204' }).nth(1).waitFor();
    assert.equal(received.length, 2);
    for (const { body, signature } of received) {
      assert.ok(verifyWebhook({ body, signature, secret, now: Date.now() }));
      assert.equal(JSON.parse(body).total, 200);
    }
  });

  await t.test('tries the failed inputs again as a new job, after the price', async () => {
    await page.getByRole('button', { name: 'Run them again' }).click();
    await page.getByText('4 inputs for maps/places').waitFor();
    await page.getByRole('button', { name: 'Send the job' }).click();
    await page.locator('main .badge', { hasText: 'Done' }).waitFor();
  });

  await t.test('ends the session of another browser', async () => {
    const other = await openChromium(t, {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0',
    });
    await other.page.goto(`${base}/sign-in`);
    await other.page.getByLabel('E-mail address').fill('ada@example.com');
    await other.page.getByRole('button', { name: 'Send me a link' }).click();
    await other.page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await other.page.goto(/http:\/\/\S+/.exec(mails.mails.at(-1)?.text ?? '')?.[0] ?? '');
    await other.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${base}/dashboard/settings`);
    await page.getByRole('button', { name: 'End the session of Firefox on Linux' }).click();
    await page.getByText('The session has ended.').waitFor();
    await other.page.goto(`${base}/dashboard`);
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  await t.test('is seen by the operator, over the link that was printed', async () => {
    const operator = await context.newPage();
    await operator.goto(adminLink);
    await operator.getByRole('button', { name: 'Open the admin pages' }).click();
    await operator.getByRole('heading', { name: 'Health' }).waitFor();
    await operator.getByRole('link', { name: 'Accounts' }).click();
    await operator.getByRole('link', { name: 'ada@example.com' }).click();
    await operator.getByText('50,500').first().waitFor();
  });

  assert.deepEqual(faults, []);
});
