import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { load } from 'cheerio';
import type { FastifyInstance } from 'fastify';
import { readServerConfig } from '../../../lib/config.js';
import type { Account } from '../../../src/accounts/accounts.js';
import type { SqliteAccounts } from '../../../src/accounts/sqlite-accounts.js';
import { createApp } from '../../../src/server/app.js';
import { Metrics } from '../../../src/server/metrics.js';
import { type Bed, type BedOptions, bed } from '../../jobs/bed.js';
import { Browser, type Page } from './browser.js';
import { type MemoryDesk, memoryDesk } from './memory-desk.js';

export interface JobsServer extends Bed {
  readonly app: FastifyInstance;
  readonly desk: MemoryDesk;
  readonly metrics: Metrics;
  readonly log: string[];
  signedIn(credits?: number): Promise<Person>;
}

export interface Person {
  readonly browser: Browser;
  readonly account: Account;
}

/** A file as a form sends it. */
export interface File {
  readonly name: string;
  readonly content: string | Buffer;
}

/** The whole server with its pages and with jobs that run, in process. */
export async function jobsServer(
  t: TestContext,
  options: BedOptions & { readonly change?: (desk: MemoryDesk) => Partial<MemoryDesk> } = {},
): Promise<JobsServer> {
  const { change = () => ({}), ...rest } = options;
  const all = await bed(t, rest);
  const { services, accounts, jobs, ledger, clock } = all;
  const made = memoryDesk(accounts as SqliteAccounts, () => clock.now());
  const desk: MemoryDesk = Object.assign(made, change(made));
  const metrics = new Metrics();
  const log: string[] = [];
  const app = createApp({
    ...{ services, accounts, jobs, metrics, closing: new AbortController().signal },
    config: readServerConfig({ rateLimit: 1_000_000 }, {}),
    log: { write: (line) => log.push(line) },
    dashboard: { desk, books: await ledger.books() },
  });
  t.after(() => app.close());
  let people = 0;
  return {
    ...all,
    ...{ app, desk, metrics, log },
    async signedIn(credits = 100_000) {
      people += 1;
      const email = `person${people}@example.com`;
      const browser = new Browser(app);
      await browser.submit(await browser.get('/sign-in'), 'form', { email });
      await browser.get(`/sign-in/confirm?token=${desk.tokens.at(-1)}`);
      const account = await accounts.find(email);
      assert.ok(account);
      if (credits > 0) await accounts.credit(account.id, credits, `pack_${account.id}`);
      return { browser, account };
    },
  };
}

/** Sends the form of a page with a file, as browsers do. */
export async function submitFile(
  browser: Browser,
  { $, url }: Page,
  selector: string,
  values: Readonly<Record<string, string>>,
  file: File = { name: '', content: '' },
): Promise<Page> {
  const form = $(selector);
  assert.equal(form.attr('enctype'), 'multipart/form-data', url);
  const held: Record<string, string> = {};
  for (const { name, value } of form.serializeArray()) held[name] = String(value);
  const boundary = 'boundary-of-the-test';
  const parts: Buffer[] = [];
  const part = (head: string, content: string | Buffer) =>
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n'));
  for (const [name, value] of Object.entries({ ...held, ...values })) {
    part(`Content-Disposition: form-data; name="${name}"`, value);
  }
  const fileName = file.name.replaceAll('"', '%22');
  part(
    `Content-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream`,
    file.content,
  );
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const address = form.attr('action') ?? url;
  const answer = await browser.send({
    method: 'POST',
    url: address,
    payload: Buffer.concat(parts),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, origin: 'http://localhost' },
  });
  if (answer.statusCode === 303) return browser.get(String(answer.headers.location));
  const { statusCode: status, headers, body: text } = answer;
  return { status, headers, text, $: load(text), url: address };
}
