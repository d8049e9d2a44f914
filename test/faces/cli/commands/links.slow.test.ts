import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangingSite } from '../../../service/jobs/changing-site.js';
import { awaitJob } from '../../../service/jobs/harness.js';
import { argv } from '../../../support/argv.js';
import { assertExit } from '../../../support/assert-exit.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { jobsServer } from '../jobs-server.js';

const folder = temporaryFolder();

describe('extract jobs link and extract jobs schedules link', () => {
  test('show URLs once, list their first characters, and revoke them', async (t) => {
    const site = new ChangingSite();
    site.names = ['a'];
    const { run, all, customer } = await jobsServer(t, folder, { ask: site.ask });
    const create = argv`jobs create maps/harbours --every 6h --history`;
    const { id: job, schedule } = JSON.parse((await run(create, '{"query":"a"}\n')).out).data;
    await awaitJob(all, customer, job);
    const links: { readonly id: string; readonly urls: readonly string[] }[] = [];
    for (const args of [
      argv`jobs link ${job}`,
      argv`schedules link ${schedule} table`,
      argv`schedules link ${schedule} feed`,
    ]) {
      const { out } = assertExit(await run(args), 0);
      links.push(JSON.parse(out).data);
    }
    assert.deepEqual(
      links.map(({ urls }) => urls.map((url) => new URL(url).pathname.replace(/[\w-]{43}/, '…'))),
      [['/tables/….csv'], ['/tables/….csv'], ['/feeds/….atom', '/feeds/….json']],
    );
    const listed = await run(argv`schedules links ${schedule} --json`);
    const ids = JSON.parse(listed.out).data.map(({ id }: { id: string }) => id);
    assert.deepEqual(
      ids.sort(),
      links
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    );
    assert.ok(!listed.out.includes('urls'));
    const table = await run(argv`jobs links ${job} --format table`);
    assert.match(table.out, /table/);
    const revoked = await run(argv`schedules revoke-link ${schedule} ${links[2]?.id ?? ''}`);
    assert.equal(JSON.parse(revoked.out).data.id, links[2]?.id);
    assert.equal(JSON.parse((await run(argv`schedules links ${schedule} --json`)).out).data.length, 1);
    const again = await run(argv`schedules revoke-link ${schedule} ${links[2]?.id ?? ''}`);
    assert.deepEqual([again.status, JSON.parse(again.err).error.code], [4, 'link_not_found']);
  });

  test('refuse an unknown kind, and a feed without a history', async (t) => {
    const { run } = await jobsServer(t, folder, { start: false });
    const create = argv`jobs create maps/harbours --every 6h`;
    const { schedule } = JSON.parse((await run(create, '{"query":"a"}\n')).out).data;
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
