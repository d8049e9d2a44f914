import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangingSite } from '../../../service/jobs/changing-site.js';
import { awaitJob } from '../../../service/jobs/harness.js';
import { argv } from '../../../support/argv.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { jobsServer } from '../jobs-server.js';

const folder = temporaryFolder();
const create = argv`jobs create maps/harbours --every 6h`;

interface Link {
  readonly id: string;
  readonly urls: readonly string[];
}

describe('extract jobs link and extract jobs schedules link', () => {
  test('show URLs once, list their first characters, and revoke them', async (t) => {
    const site = new ChangingSite();
    site.names = ['a'];
    const { run, data, code, all, customer } = await jobsServer(t, folder, { ask: site.ask });
    const { id: job, schedule } = await data([...create, '--history'], '{"query":"a"}\n');
    await awaitJob(all, customer, job);
    const pathsOf = ({ urls }: Link) =>
      urls.map((url) => new URL(url).pathname.replace(/[\w-]{43}/, '…')).join(' ');
    const ofJob: Link = await data(argv`jobs link ${job}`);
    const table: Link = await data(argv`schedules link ${schedule} table`);
    const feed: Link = await data(argv`schedules link ${schedule} feed`);
    const paths = [ofJob, table, feed].map(pathsOf);
    assert.deepEqual(paths, ['/tables/….csv', '/tables/….csv', '/feeds/….atom /feeds/….json']);
    const listed: Link[] = await data(argv`schedules links ${schedule}`);
    assert.deepEqual(listed.map(({ id }) => id).sort(), [table.id, feed.id].sort());
    assert.doesNotMatch(JSON.stringify(listed), /urls/);
    assert.match((await run(argv`jobs links ${job} --format table`)).out, /table/);
    const revoke = argv`schedules revoke-link ${schedule} ${feed.id}`;
    assert.equal((await data(revoke)).id, feed.id);
    assert.equal((await data(argv`schedules links ${schedule}`)).length, 1);
    assert.equal(await code(revoke, 4), 'link_not_found');
  });

  test('refuse an unknown kind, and a feed without a history', async (t) => {
    const { run, data } = await jobsServer(t, folder, { start: false });
    const { schedule } = await data(create, '{"query":"a"}\n');
    for (const args of [
      ['link', schedule],
      ['link', schedule, 'all'],
      ['link', schedule, 'feed'],
      ['revoke-link', schedule],
    ])
      assert.equal((await run(['schedules', ...args])).status, 2, args.join(' '));
    assert.equal((await run(argv`jobs links job_none`)).status, 4);
  });
});
