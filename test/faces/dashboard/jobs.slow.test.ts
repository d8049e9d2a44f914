import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { awaitJob, numbered, picky } from '../../service/jobs/harness.js';
import { FakeClock } from '../../support/fake-clock.js';
import { aHarbour } from '../../support/invented-rows.js';
import type { Page } from './support/browser.js';
import { type JobsServer, jobsServer, type Person } from './support/jobs-server.js';

const draft = async ({ browser }: Person, values: Readonly<Record<string, string>>, file?: File) => {
  const form = await browser.get('/dashboard/jobs/new');
  return browser.submit(form, 'main form', { endpoint: 'maps/harbours', ...values }, file);
};

/** Sends a draft, and gives the ID of its job. */
const send = async ({ browser }: Person, page: Page) => {
  assert.equal(page.status, 200, page.$('.problem').text());
  return /\/jobs\/(job_\w+)/.exec((await browser.submit(page, 'main form')).url)?.[1] ?? '';
};

/** The page of a job when it has ended. */
async function ended(all: JobsServer, { account, browser }: Person, id: string): Promise<Page> {
  await awaitJob(all, { account: account.id }, id);
  return browser.get(`/dashboard/jobs/${id}`);
}

/** The page of a job of queries that has run to its end. */
const ran = async (all: JobsServer, person: Person, queries: readonly string[]) =>
  ended(all, person, await send(person, await draft(person, { text: queries.join('\n') })));

const jobsOf = async ({ jobs }: JobsServer, { account }: Person, key: string | null = null) =>
  (await jobs.store.list(account.id, 10, undefined, null, key === null ? {} : { key })).jobs.map(
    ({ id }) => id,
  );

const figures = ({ $ }: Page) =>
  Object.fromEntries(
    $('.figures > div')
      .toArray()
      .map((one) => [$(one).find('dt').text(), $(one).find('dd').contents().first().text().trim()]),
  );

const prices = { settings: { EXTRACT_PACK_PRICES: '50000=49.00' } };

async function pages(t: TestContext, options = {}) {
  const all = await jobsServer(t, { ask: picky, ...options });
  return { all, person: await all.signedIn() };
}

describe('a job from pages', () => {
  test('is priced before it is sent, runs, and is downloaded as the API has it', async (t) => {
    const { all, person } = await pages(t, prices);
    const { browser, account } = person;
    const csv = new File(['query,limit\nquay,2\n"bad, one",1\n'], 'harbours.csv');
    const preview = await draft(person, {}, csv);
    assert.match(preview.url, /^\/dashboard\/jobs\/drafts\/draft_[\w-]{22}$/);
    assert.match(preview.$('.lead').text(), /2 inputs for maps\/harbours, from the file harbours\.csv/);
    assert.deepEqual(figures(preview), {
      ...{ Inputs: '2', Price: '6', 'Balance before': '100,500', 'Balance after': '100,494' },
    });
    assert.match(preview.$('ol').text(), /\{"query":"bad, one","limit":"1"\}/);
    assert.deepEqual(await jobsOf(all, person), [], 'nothing is sent yet');

    const page = await browser.submit(preview, 'main form');
    const [id = ''] = await jobsOf(all, person);
    assert.equal(page.url, `/dashboard/jobs/${id}?done=job-sent`);
    const done = await ended(all, person, id);
    assert.deepEqual(figures(done), { Answered: '1', Failed: '1', 'Credits charged': '3' });
    assert.match(done.$('tbody').last().text(), /^2\{"query":"bad, one".*place_not_found/);
    assert.equal(done.$('tbody a').attr('href'), '/docs/errors/place_not_found');

    const { secret } = await all.accounts.createKey({ account: account.id, name: 'k', platforms: null });
    const ofApi = await all.app.inject({
      url: `/v1/jobs/${id}/results`,
      headers: { authorization: `Bearer ${secret}` },
    });
    const ofPage = await browser.send({ method: 'GET', url: `/dashboard/jobs/${id}/results` });
    assert.equal(ofPage.body, ofApi.body);
    assert.equal(ofPage.headers['content-disposition'], `attachment; filename="${id}.ndjson"`);
    assert.equal(ofPage.headers['content-type'], 'application/x-ndjson; charset=utf-8');
    const failed = await browser.send({ method: 'GET', url: `/dashboard/jobs/${id}/failed` });
    assert.equal(failed.body, `${ofApi.body.split('\n')[1]}\n`);

    const list = await browser.get('/dashboard/jobs');
    assert.match(list.$('tbody').text(), /maps\/harboursDone, 1 failed2 of 23/);
  });

  test('shows no credits where none were charged, as for sample data, or on a server without prices', async (t) => {
    const { all, person } = await pages(t, prices);
    assert.deepEqual(figures(await ran(all, person, ['bad', 'bad too'])), { Answered: '0', Failed: '2' });
    const free = await pages(t);
    assert.deepEqual(figures(await ran(free.all, free.person, ['quay'])), { Answered: '1', Failed: '0' });
  });

  test('is one, however often it is sent', async (t) => {
    const { all, person } = await pages(t, { start: false });
    const preview = await draft(person, { text: 'a\nb' });
    const [first, second] = await Promise.all([send(person, preview), send(person, preview)]);
    assert.equal(first, second);
    assert.equal(await send(person, preview), first);
    assert.deepEqual(await jobsOf(all, person), [first]);
    assert.equal(await all.credits(person.account.id), 100_500 - 6);
  });

  test('shows the problem of each line, and cannot be submitted while a line is unreadable', async (t) => {
    const { all, person } = await pages(t, { start: false });
    const lines = ['{"query":"a"}', '{"query":"b","limit":99}', '{"place":"c"}'];
    const wrong = await draft(person, { text: lines.join('\r\n') });
    assert.match(wrong.$('tbody').text(), /Line 2: The parameter limit must be.*invalid_parameter/);
    assert.match(wrong.$('tbody').text(), /Line 3: .*unknown_parameter/);
    assert.match(wrong.$('.callout').text(), /2 inputs would fail.*6 of the reserved credits/);
    assert.equal(wrong.$('main form').length, 2, 'it may be sent, with the faulty lines or without');
    const demo = await draft(person, { text: '{"query":"a","demo":true}\n{"query":"b"}' });
    assert.match(demo.$('.callout').text(), /1 input with demo.* 3 of the\s+reserved credits/s);
    const unreadable = await draft(person, { text: [...lines, 'no json'].join('\n') });
    assert.match(unreadable.$('.callout.problem').text(), /^One line cannot be read\./);
    assert.match(unreadable.$('main form').attr('action') ?? '', /without-faulty$/);
    assert.equal(unreadable.$('main form').length, 1, 'not with that line');
    await person.browser.post(unreadable.url, { _csrf: unreadable.csrf });
    assert.deepEqual(await jobsOf(all, person), []);
  });

  test('shows the error next to its field', async (t) => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
    const { person } = await pages(t, { start: false, resolve });
    const large = new File([Buffer.alloc(16 * 1024 * 1024 + 1, 'a')], 'big.txt');
    const webhook = (webhook_url: string) => ({ text: 'a', webhook_url });
    for (const [values, field, status = 400, file] of [
      [{}, 'text'],
      [{ text: '\n \n' }, 'text'],
      [{ text: 'a' }, 'text', 400, new File(['a'], 'a.txt')],
      [{ endpoint: 'maps/nowhere', text: 'a' }, 'endpoint'],
      [{ format: 'xml', text: 'a' }, 'format'],
      [{}, 'file', 400, new File(['nothing,known\n1,2'], 'a.csv')],
      [{ text: numbered(10_001).join('\n') }, 'text'],
      [{}, 'file', 413, large],
      [webhook('http://hooks.example/'), 'webhook_url'],
      [webhook('nonsense'), 'webhook_url'],
      [webhook('https://inside.example/'), 'webhook_url'],
      [{ text: 'a', key: 'key_of_somebody' }, 'key', 401],
      ...[{ timezone: 'Europe/Berlin' }, { notify: person.account.email }, { history: 'true' }].map(
        (option) => [{ text: 'a', ...option }, 'schedule'] as const,
      ),
    ] as const) {
      const page = await draft(person, values, file);
      const text = JSON.stringify(values).slice(0, 100);
      assert.equal(page.status, status, text);
      assert.ok(page.$(`#${field}-problem`).text().length > 10, text);
      assert.equal(page.$('[aria-invalid]').length, 1, text);
      assert.equal(page.$('[autofocus]').attr('id'), field, `${text}: the form opens at its fault`);
      assert.equal(page.$('#endpoint').length, 1);
    }
    const all = await draft(person, {
      ...webhook('http://example.com/hook'),
      ...{ text: ' ', when: 'rating <=', schedule: 'often', notify: 'nonsense' },
    });
    assert.deepEqual(
      all
        .$('p.problem')
        .toArray()
        .map(({ attribs }) => attribs.id),
      ['text', 'when', 'webhook_url', 'schedule', 'notify'].map((field) => `${field}-problem`),
    );
  });

  test('has the limits of its key', async (t) => {
    const { all, person } = await pages(t, { start: false });
    const { account, browser } = person;
    const make = (name: string, platforms: ['maps'] | ['pronetwork']) =>
      all.accounts.createKey({ account: account.id, name, platforms });
    const { key: other } = await make('other', ['pronetwork']);
    const { key } = await make('mine', ['maps']);
    const refused = await draft(person, { text: 'a', key: other.id });
    assert.equal(refused.status, 403);
    assert.match(refused.$('#key-problem').text(), /may not call maps/);
    const preview = await draft(person, { text: 'a', key: key.id });
    assert.match(preview.$('.lead').text(), /with the key “mine”/);
    const id = await send(person, preview);
    assert.deepEqual(await jobsOf(all, person, key.id), [id]);
    const again = await draft(person, { text: 'b', key: key.id });
    await all.accounts.revokeKey(key.id);
    const late = await browser.submit(again, 'main form');
    assert.equal(late.status, 401);
    assert.match(late.$('.callout.problem').text(), /revoked_api_key/);
  });

  test('is not made with a key that has expired, then or at the last moment', async (t) => {
    const clock = new FakeClock();
    const { all, person } = await pages(t, { start: false, clock });
    const { account, browser } = person;
    const { key } = await all.accounts.createKey({
      ...{ account: account.id, name: 'mine', platforms: null, expiresAt: clock.now() + 60_000 },
    });
    const preview = await draft(person, { text: 'a', key: key.id });
    clock.set(clock.now() + 60_000);
    const late = await browser.submit(preview, 'main form');
    assert.equal(late.status, 401);
    assert.match(late.$('.callout.problem').text(), /revoked_api_key/);
    const refused = await draft(person, { text: 'b', key: key.id });
    assert.equal(refused.status, 401);
    assert.match(refused.$('#key-problem').text(), /This key is not active/);
    assert.equal(refused.$(`option[value=${key.id}]`).length, 0);
  });

  test('is not sent when the balance does not cover it, then or at the last moment', async (t) => {
    const all = await jobsServer(t, { start: false });
    const poor = await all.signedIn(0);
    const draftOf = (count: number) => draft(poor, { text: numbered(count).join('\n') });
    const preview = await draftOf(200);
    assert.match(preview.$('.callout.problem').text(), /100 credits short/);
    assert.equal(preview.$('main form').length, 0);
    const [small, other] = [await draftOf(100), await draftOf(150)];
    await poor.browser.submit(small, 'main form');
    const refused = await poor.browser.submit(other, 'main form');
    assert.equal(refused.status, 403);
    assert.match(refused.$('.callout.problem').first().text(), /insufficient_credits/);
    assert.equal(await all.credits(poor.account.id), 200);
  });
});

describe('a job that is there', () => {
  test('is cancelled after a confirmation, and its failed inputs are retried', async (t) => {
    const { all, person } = await pages(t, { start: false });
    const { browser, account } = person;
    const id = await send(person, await draft(person, { text: 'a\nb\nc' }));
    const page = await browser.get(`/dashboard/jobs/${id}`);
    assert.equal(page.$('[data-live]').attr('data-live'), `/dashboard/jobs/${id}/progress`);
    const progress = (await browser.send({ method: 'GET', url: `/dashboard/jobs/${id}/progress` })).json();
    assert.deepEqual(
      [progress.mark, progress.is_over, progress.value],
      [page.$('[data-live]').attr('data-mark'), false, 0],
    );
    const confirmation = await browser.get(`/dashboard/jobs/${id}/cancel`);
    assert.equal((await all.jobs.store.find(account.id, id)).status, 'queued');
    const cancelled = await browser.submit(confirmation, 'main form');
    assert.equal(cancelled.url, `/dashboard/jobs/${id}?done=job-cancelled`);
    assert.equal(await all.credits(account.id), 100_500);
    all.jobs.start();
    const after = await ended(all, person, id);
    assert.equal(after.$('tbody tr').length, 3);
    assert.match(after.$('tbody').text(), /job_cancelled/);
    const retry = await browser.submit(after, 'form[action$=retry]');
    assert.match(
      retry.$('.lead').text(),
      new RegExp(`3 inputs for maps/harbours, from the failed inputs of ${id}`),
    );
    const again = await send(person, retry);
    await ended(all, person, again);
    assert.equal((await all.jobs.store.find(account.id, again)).completed, 3);
    assert.equal((await browser.get(`/dashboard/jobs/${id}/cancel`)).url, `/dashboard/jobs/${id}`);
  });

  test('is retried under its name and its key, while the key is active', async (t) => {
    const { all, person } = await pages(t);
    const { browser, account } = person;
    const { key } = await all.accounts.createKey({ account: account.id, name: 'nightly', platforms: null });
    const first = await draft(person, { text: 'good\nbad', name: 'Harbours', key: key.id });
    const done = await ended(all, person, await send(person, first));
    const retried = () => browser.submit(done, 'form[action$=retry]');
    const retry = await retried();
    assert.equal(retry.$('h1').text(), 'Send “Harbours”?');
    assert.match(retry.$('.lead').text(), /with the key “nightly”/);
    const again = await send(person, retry);
    await ended(all, person, again);
    const { rows } = await all.ledger.usage(account.id, { job: again, limit: 1 });
    assert.equal(rows[0]?.api_key?.id, key.id);
    await all.accounts.revokeKey(key.id, account.id);
    assert.doesNotMatch((await retried()).$('.lead').text(), /with the key/);
  });
});

describe('hostile input', () => {
  test('is text wherever it is shown', async (t) => {
    const { all, person } = await pages(t, {
      ask: async () => {
        throw new ExtractError('platform_changed', '<img src=x onerror=alert(1)>');
      },
    });
    const evil = '"><script>alert(1)</script>';
    const page = await draft(person, {}, new File([`${evil}\n`], '<img src=x onerror=alert(1)>.txt'));
    assert.match(page.$('.lead').text(), /<img src=x onerror=alert\(1\)>/);
    const jobPage = await ended(all, person, await send(person, page));
    assert.match(jobPage.$('tbody').text(), /<script>alert\(1\)<\/script>/);
    assert.match(jobPage.$('tbody').text(), /<img src=x onerror/);
    for (const one of [page, jobPage]) {
      assert.equal(one.$('script:not([src]), img').length, 0);
    }
    const again = await draft(person, { text: '</textarea><script>alert(1)</script>', endpoint: evil });
    assert.equal(again.$('#text').text(), '</textarea><script>alert(1)</script>');
    assert.equal(again.$('script:not([src])').length, 0);
  });

  test('offers no second run of inputs that are wrong themselves', async (t) => {
    const ask: CallFunction = async () => {
      throw new ExtractError('invalid_parameter', 'a is no harbour.');
    };
    const { all, person } = await pages(t, { ask });
    const page = await ran(all, person, ['a']);
    assert.match(page.$('main').text(), /Running them again will not help: correct or remove them\./);
    assert.equal(page.$('form[action$=retry]').length, 0);
  });
});

describe('the results on the page of a job', () => {
  const harbours: CallFunction = async (endpoint, params, caller, signal) => {
    const result = await picky(endpoint, params, caller, signal);
    const name = `<b>${params.query}</b>`;
    return { ...result, json: JSON.stringify([aHarbour({ name }), aHarbour({ name: `${name} 2` })]) };
  };

  test('begin as a table, and come as files that people open', async (t) => {
    const { all, person } = await pages(t, { ask: harbours });
    const { $ } = await ran(all, person, ['a', 'bad', 'b']);
    const [id] = await jobsOf(all, person);
    const preview = $('table').first();
    assert.equal(preview.find('thead th').first().text(), 'name');
    assert.equal(preview.find('tbody tr').length, 4);
    assert.equal(preview.find('tbody th').first().text(), '<b>a</b>');
    for (const kind of ['csv', 'xlsx', 'sqlite', 'parquet']) {
      const link = $(`a[href="/dashboard/jobs/${id}/results?format=${kind}"]`);
      assert.equal(link.length, 1, kind);
      const file = await person.browser.get(link.attr('href') ?? '');
      assert.equal(file.status, 200);
      assert.equal(file.headers['content-disposition'], `attachment; filename="${id}.${kind}"`);
    }
  });
});

describe('faulty lines', () => {
  test('can be omitted: the others are submitted, at their own price', async (t) => {
    const { all, person } = await pages(t);
    const content = '{"query":"a"}\nno json\n{"query":"b"}\n{"nothing":1}\n';
    const page = await draft(person, {}, new File([content], 'in.ndjson'));
    assert.match(page.$('main form').text(), /Send without the faulty lines: 2 inputs, 6 credits/);
    const id = await send(person, page);
    await ended(all, person, id);
    const job = await all.jobs.store.find(person.account.id, id);
    assert.deepEqual([job.total, job.failed, job.credits_reserved], [2, 0, 6]);
  });
});
