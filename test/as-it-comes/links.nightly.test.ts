import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { parseAtomFeed } from 'feedsmith';
import { requireAtom } from '../output/feed/require-atom.js';
import { serveSite } from './harness.js';

describe('shared links, with every setting as it comes', () => {
  test('return the entries of a feed and the rows of a table from the first run of a schedule', async () => {
    const { run, serve } = await serveSite(() => undefined);
    const email = 'ann@example.com';
    assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
    const key = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
    const { url } = await serve();
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`${url}/v1/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${JSON.parse(key.out).data.secret}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return JSON.parse(text).data;
    };
    const inputs = ['mira.kettle', 'fern.atlas'].map((username) => ({ username, demo: true }));
    const order = { endpoint: 'shortvideo/profile', inputs, schedule: 'monday 08:00', history: true };
    const { schedule } = await ask('jobs', order);
    const ended = async () => {
      const { job } = (await ask(`schedules/${schedule}`)).last_run;
      while ((await ask(`jobs/${job}`)).status !== 'done') await sleep(100);
      return job as string;
    };
    const first = await ended();
    await ask(`schedules/${schedule}/run`, {});
    while ((await ended()) === first) await sleep(100);
    const [atom = ''] = (await ask(`schedules/${schedule}/links`, { kind: 'feed' })).urls;
    const [csv = ''] = (await ask(`schedules/${schedule}/links`, { kind: 'table' })).urls;

    const text = await (await fetch(atom)).text();
    requireAtom(text);
    const titles = parseAtomFeed(text).entries?.map(({ title }) => title?.value);
    // The second run found nothing new.
    assert.equal(titles?.length, 2, text);
    const table = await (await fetch(csv)).text();
    assert.deepEqual(
      (parse(table, { columns: true }) as { username: string }[]).map(({ username }) => username),
      ['mira.kettle', 'fern.atlas'],
    );
    const listed = await ask(`schedules/${schedule}/links`);
    assert.equal(listed.length, 2);
    await ask(`schedules/${schedule}/links/${listed[0].id}/revoke`, {});
    assert.deepEqual([(await fetch(csv)).status, (await fetch(atom)).status], [404, 200]);
  });
});
