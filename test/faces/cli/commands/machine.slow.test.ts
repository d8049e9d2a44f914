import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutCredentials } from '../../../../lib/config-kinds.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { unmeasured } from '../../../../lib/ledger/call-row.js';
import type { Ledger, UsageQuery } from '../../../../lib/ledger/ledger.js';
import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { settings } from '../../../../src/config/settings.js';
import { argv, assertExit, dataOf, errorOf, extract, testHome } from '../../../support/cli.js';

describe('extract usage credits', () => {
  test('shows the balance, and adds to it', async () => {
    assert.deepEqual(await dataOf(['credits']), { account: 'local', credits: 50_000, bought: true });
    const added = await extract(argv`credits add 250000 --json`);
    assert.equal(JSON.parse(added.out).data.credits, 300_000);
    assert.equal(JSON.parse(added.err).note.message, `Changed the data directory ${testHome()}.`);
    assert.equal((await dataOf(['credits'])).credits, 300_000);
  });

  test('refuses anything but a whole number of credits', async () => {
    for (const wrong of ['0', '1.5', '1e3', 'many', '', '99999999999', '0x10', ' 5']) {
      const { opened } = assertExit(await extract(['credits', 'add', wrong]), 2, /whole number from 1/);
      assert.equal(opened, undefined, wrong);
    }
    assert.equal((await errorOf(argv`credits add -- -5`, 2)).code, 'invalid_parameter');
    assert.equal((await errorOf(argv`credits add`, 2)).code, 'missing_parameter');
  });
});

describe('extract usage', () => {
  const row = (id: string): UsageRow => ({
    ...{ id, created_at: '2026-11-05T00:00:00.000Z', endpoint: 'maps/place', status: 'ok', error_code: null },
    ...{ credits_charged: 3, credits_refunded: 0, cached: false, api_key: null, job_id: null },
    ...unmeasured,
  });

  async function usage(args: readonly string[], next: string | null = null, stdoutColumns?: number) {
    const queries: UsageQuery[] = [];
    const ledger: Pick<Ledger, 'usage' | 'balance'> = {
      async usage(account, query) {
        assert.equal(account, 'local');
        queries.push(query);
        return { rows: [row('req_2'), row('req_1')], next };
      },
      balance: async (account) => ({ account, credits: 77, bought: true }),
    };
    const ran = await extract(['usage', ...args], {
      extractor: { ledger: async () => ledger as Ledger },
      ...(stdoutColumns === undefined ? {} : { stdoutColumns, settings: { color: false } }),
    });
    return { ...ran, query: queries[0] };
  }

  test('lists the rows in the envelope of the usage endpoint', async () => {
    const { out, query } = await usage(['--json'], 'req_1');
    const { data, meta } = JSON.parse(out);
    assert.deepEqual(data, [row('req_2'), row('req_1')]);
    const { request_id, ...others } = meta;
    assert.match(request_id, /^req_/);
    assert.deepEqual(others, { credits_remaining: 77, next_cursor: 'req_1' });
    assert.equal(query?.limit, 20);
  });

  test('passes its filters to the ledger', async () => {
    const endpoint = 'maps/place';
    const span = argv`--from 2026-11-01 --to 2026-11-05T12:30`;
    const { query } = await usage(argv`--limit 5 --cursor req_9 ${span} --endpoint ${endpoint}`);
    const times = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-05T12:30:00.000Z' };
    assert.deepEqual(query, { limit: 5, before: 'req_9', ...times, endpoint });
  });

  test('refuses an invalid limit, time or endpoint, and a cursor that is not a call of this account', async () => {
    const limits = ['--limit 0', '--limit 101', '--limit x'];
    for (const option of [...limits, '--from yesterday', '--to 2026-13-01', '--to 5', '--endpoint maps/no'])
      assert.equal((await errorOf(argv`usage ${option.split(' ')}`, 2)).code, 'invalid_parameter', option);
    assert.equal((await errorOf(argv`usage --cursor req_elsewhere`, 2)).code, 'invalid_cursor');
  });

  test('refuses a span that ends before it begins, in which nothing can lie', async () => {
    const said = /--from 2026-11-20T00:00:00.000Z must be before --to 2026-11-01T00/;
    const ran = await extract(argv`usage --from 2026-11-20 --to 2026-11-01`);
    assert.equal(assertExit(ran, 2, said).opened, undefined);
    const audit = await extract(argv`audit list --from 2026-11-20 --to 2026-11-20`);
    assertExit(audit, 2, /must be before/);
  });

  test('reports an unusable ledger', async () => {
    const ledger = () => Promise.reject(new ExtractError('internal_error', 'The ledger is away.'));
    const { status, closed } = await extract(['usage'], { extractor: { ledger } });
    assert.deepEqual([status, closed], [1, true]);
  });
});

describe('extract cache clear', () => {
  test('forgets every answer, also where answers are not kept now', async () => {
    const ran = await extract(argv`cache clear`);
    assert.match(ran.out, /^\{"data":\{"cleared":true\},"meta":\{"request_id":"req_\w{26}"\}\}\n$/);
    assert.deepEqual(ran.opened, { cache: true });
  });
});

describe('extract config', () => {
  test('shows every setting of the table, per platform if there are several', async () => {
    const rows: { setting: string }[] = await dataOf(['config']);
    const shownNames = new Set(rows.map(({ setting }) => setting));
    const common = ['EXTRACT_PACE_MS', 'EXTRACT_CONCURRENCY'];
    for (const { name } of settings) {
      if (common.includes(name)) continue;
      const names = name.includes('|')
        ? ['MAPS', 'PRONETWORK', 'PHOTOSOCIAL', 'SHORTVIDEO'].map((platform) =>
            name.replace(/MAPS\|.*$/, platform),
          )
        : name.split(', ');
      for (const one of names) assert.ok(shownNames.has(one), one);
    }
  });

  test('shows people the first settings and those that are changed, and with --all every one', async () => {
    const look = { stdoutColumns: 80, stderrIsTTY: true, settings: { color: false } };
    const { out, err } = await extract(['config'], { ...look, config: { timeoutMs: 5 } });
    assert.match(out, /^EXTRACT_HOME /m);
    assert.match(out, /^EXTRACT_TIMEOUT_MS +5 {2}\(default 180000\)$/m);
    assert.doesNotMatch(out, /EXTRACT_CACHE_MEMORY_MB/);
    assert.match(err, /^\d+ more are at their default; --all shows them\.$/m);
    assert.match((await extract(argv`config --all`, look)).out, /EXTRACT_CACHE_MEMORY_MB/);
  });

  test('never shows the name and password of a proxy', () => {
    for (const [address, text] of [
      ['http://user:p@ss@proxy.example:8080/', 'http://***@proxy.example:8080/'],
      ['user:secret@proxy.example:8080', '***@proxy.example:8080'],
      ['http://proxy.example:8080', 'http://proxy.example:8080'],
      [undefined, null],
    ] as const)
      assert.equal(withoutCredentials(address), text);
  });
});
