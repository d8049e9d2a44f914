import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutCredentials } from '../../../../lib/config-kinds.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { unmeasured } from '../../../../lib/ledger/call-row.js';
import type { Ledger, UsageQuery } from '../../../../lib/ledger/ledger.js';
import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { settings } from '../../../../src/config/settings.js';

import { extract, testHome } from '../../../support/cli.js';

async function data(...args: string[]) {
  const ran = await extract([...args, '--json']);
  assert.equal(ran.status, 0, ran.err);
  return JSON.parse(ran.out).data;
}

async function refused(...args: string[]) {
  const ran = await extract([...args, '--json']);
  assert.equal(ran.status, 2, ran.out);
  assert.equal(ran.out, '');
  return { ...JSON.parse(ran.err).error, opened: ran.opened };
}

describe('extract credits', () => {
  test('shows the balance, and adds to it', async () => {
    const before = await data('credits');
    assert.deepEqual(before, { account: 'local', credits: 50_000, bought: true });
    const added = await extract(['credits', 'add', '250000', '--json']);
    assert.equal(JSON.parse(added.out).data.credits, 300_000);
    assert.equal(JSON.parse(added.err).note.message, `Changed the data directory ${testHome()}.`);
    assert.equal((await data('credits')).credits, 300_000);
  });

  test('adds nothing that is no whole number of credits', async () => {
    for (const wrong of ['0', '1.5', '1e3', 'many', '', '99999999999', '0x10', ' 5']) {
      const { message, opened } = await refused('credits', 'add', wrong);
      assert.match(message, /whole number from 1/, wrong);
      assert.equal(opened, undefined);
    }
    assert.equal((await refused('credits', 'add', '--', '-5')).code, 'invalid_parameter');
    assert.equal((await refused('credits', 'add')).code, 'missing_parameter');
  });

  test('adds nothing when the answer could not be shown as asked', async () => {
    const { opened } = await refused('credits', 'add', '7', '--fields', 'crdits');
    assert.equal(opened, undefined);
  });

  test('is a card at a terminal', async () => {
    const { out } = await extract(['credits'], { stdoutColumns: 60, settings: { color: false } });
    assert.match(out, /^account {2}local\ncredits {2}[\d,]+\n$/);
  });
});

describe('extract suppress', () => {
  test('says that it changed the directory where it did, and only there', async () => {
    const changed = async (...args: string[]) =>
      (await extract(['suppress', ...args])).err.includes('Changed');
    const subject = 'tiktok:@mira.kettle';
    assert.equal(await changed('remove', subject), false);
    assert.equal(await changed('add', subject), true);
    assert.equal(await changed('add', subject), false);
    assert.equal(await changed('remove', subject), true);
  });
});

describe('extract usage', () => {
  const row = (id: string): UsageRow => ({
    id,
    created_at: '2026-11-05T00:00:00.000Z',
    endpoint: 'maps/place',
    status: 'ok',
    error_code: null,
    credits_charged: 3,
    credits_refunded: 0,
    cached: false,
    api_key: null,
    job_id: null,
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
    const { out, query } = await usage([], 'req_1');
    const { data: rows, meta } = JSON.parse(out);
    assert.deepEqual(rows, [row('req_2'), row('req_1')]);
    assert.match(meta.request_id, /^req_/);
    assert.deepEqual(
      { ...meta, request_id: '' },
      { request_id: '', credits_remaining: 77, next_cursor: 'req_1' },
    );
    assert.equal(query?.limit, 20);
  });

  test('says plainly that nothing was used, and what to do, or that nothing matches', async () => {
    const ledger: Pick<Ledger, 'usage' | 'balance'> = {
      usage: async () => ({ rows: [], next: null }),
      balance: async (account) => ({ account, credits: 77, bought: true }),
    };
    const none = async (...args: string[]) => {
      const look = { stdoutColumns: 80, stderrIsTTY: true, settings: { color: false } };
      const ran = await extract(['usage', ...args], {
        ...{ extractor: { ledger: async () => ledger as Ledger }, ...look },
      });
      assert.deepEqual([ran.status, ran.out], [0, ''], ran.err);
      return ran.err.replaceAll('\n', ' ');
    };
    assert.equal(
      await none(),
      'Nothing was used yet: each call that costs credits becomes a row here. “extract endpoints” lists what can be called. ',
    );
    assert.match(await none('--endpoint', 'maps/place'), /^Nothing was used that matches --endpoint\. /);
    assert.match(await none('--from', '2026-11-01', '--to', '2026-11-02'), /matches --from and --to\. /);
    assert.match(await none('--platforms'), /^Nothing was asked of a platform yet\. /);
    assert.equal(await none('--quiet'), '');
  });

  test('at a narrow terminal is what each call cost, before its ID', async () => {
    const { out } = await usage([], null, 80);
    assert.match(out, /^created_at +endpoint +status +credits_charged /);
  });

  test('asks the ledger for what is asked', async () => {
    const { query } = await usage([
      '--limit',
      '5',
      '--cursor',
      'req_9',
      '--from',
      '2026-11-01',
      '--to',
      '2026-11-05T12:30',
      '--endpoint',
      endpoints[0]?.path ?? '',
    ]);
    assert.deepEqual(query, {
      limit: 5,
      before: 'req_9',
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-05T12:30:00.000Z',
      endpoint: endpoints[0]?.path,
    });
  });

  test('reads times with their zone', async () => {
    assert.equal(
      (await usage(['--from', '2026-11-05T12:30:00+02:00'])).query?.from,
      '2026-11-05T10:30:00.000Z',
    );
    assert.equal((await usage(['--from', '2026-11-05T12:30:00.5Z'])).query?.from, '2026-11-05T12:30:00.500Z');
  });

  test('refuses what is no limit, no time and no endpoint', async () => {
    for (const args of [
      ['--limit', '0'],
      ['--limit', '101'],
      ['--limit', 'x'],
      ['--from', 'yesterday'],
      ['--to', '2026-13-01'],
      ['--to', '5'],
      ['--endpoint', 'maps/nowhere'],
    ]) {
      assert.equal((await refused('usage', ...args)).code, 'invalid_parameter', args.join(' '));
    }
  });

  test('refuses a span that ends before it begins, in which nothing can lie', async () => {
    const { message, opened } = await refused('usage', '--from', '2026-11-20', '--to', '2026-11-01');
    assert.match(message, /--from 2026-11-20T00:00:00.000Z does not come before --to 2026-11-01T00/);
    assert.equal(opened, undefined);
    assert.match(
      (await refused('audit', 'list', '--from', '2026-11-20', '--to', '2026-11-20')).message,
      /does not come/,
    );
  });

  test('is csv with the columns of the contract', async () => {
    const { out } = await usage(['--format', 'csv']);
    assert.match(
      out,
      /^id,created_at,endpoint,status,error_code,credits_charged,credits_refunded,cached,api_key\.id,api_key\.name,job_id\nreq_2,/,
    );
  });

  test('of an account that has called nothing is an empty list', async () => {
    assert.deepEqual(await data('usage'), []);
  });

  test('tells a cursor that is no call of this account', async () => {
    assert.equal((await refused('usage', '--cursor', 'req_elsewhere')).code, 'invalid_cursor');
  });

  test('tells a ledger that cannot be used', async () => {
    const ran = await extract(['usage'], {
      extractor: {
        async ledger() {
          throw new ExtractError('internal_error', 'The ledger is away.');
        },
      },
    });
    assert.equal(ran.status, 1);
    assert.equal(ran.closed, true);
  });
});

describe('extract cache clear', () => {
  test('forgets every answer, also where answers are not kept now', async () => {
    const ran = await extract(['cache', 'clear']);
    assert.match(ran.out, /^\{"data":\{"cleared":true\},"meta":\{"request_id":"req_\w{26}"\}\}\n$/);
    assert.deepEqual(ran.opened, { cache: true });
  });

  test('clears through the cache', async () => {
    let cleared = 0;
    await extract(['cache', 'clear'], {
      extractor: {
        cache: async () => ({
          get: async () => undefined,
          set: async () => {},
          close: async () => {},
          clear: async () => {
            cleared += 1;
          },
        }),
      },
    });
    assert.equal(cleared, 1);
  });
});

describe('extract config', () => {
  test('shows every setting of the table, those of several platforms one by one', async () => {
    const rows: { setting: string }[] = await data('config');
    const shown = new Set(rows.map(({ setting }) => setting));
    const common = ['EXTRACT_PACE_MS', 'EXTRACT_CONCURRENCY'];
    for (const { name } of settings) {
      if (common.includes(name)) continue;
      const names = name.includes('|')
        ? ['MAPS', 'PRONETWORK', 'PHOTOSOCIAL', 'SHORTVIDEO'].map((platform) =>
            name.replace(/MAPS\|.*$/, platform),
          )
        : name.split(', ');
      for (const one of names) assert.ok(shown.has(one), one);
    }
  });

  test('shows texts, numbers and truth values, and null where a list is empty', async () => {
    const rows: { setting: string; value: unknown; default: unknown }[] = await data('config');
    for (const { setting, ...values } of rows)
      for (const value of Object.values(values))
        assert.ok(value === null || (value !== '' && typeof value !== 'object'), setting);
    const hosts = rows.find(({ setting }) => setting === 'EXTRACT_ALLOWED_HOSTS');
    assert.deepEqual([hosts?.value, hosts?.default], [null, null]);
  });

  test('shows what is in force beside the default', async () => {
    const rows: { setting: string; value: unknown; default: unknown }[] = await data('config');
    const timeout = rows.find(({ setting }) => setting === 'EXTRACT_TIMEOUT_MS');
    assert.deepEqual(timeout, { setting: 'EXTRACT_TIMEOUT_MS', value: 180_000, default: 180_000 });
    const pace = rows.find(({ setting }) => setting === 'EXTRACT_PACE_MS_SHORTVIDEO');
    assert.ok(Number(pace?.value) >= 1000);
    const home = rows.find(({ setting }) => setting === 'EXTRACT_HOME');
    assert.notEqual(home?.value, home?.default);
  });

  test('never shows the name and password of a proxy', () => {
    assert.equal(
      withoutCredentials('http://user:p@ss@proxy.example:8080/'),
      'http://***@proxy.example:8080/',
    );
    assert.equal(withoutCredentials('user:secret@proxy.example:8080'), '***@proxy.example:8080');
    assert.equal(withoutCredentials('http://proxy.example:8080'), 'http://proxy.example:8080');
    assert.equal(withoutCredentials(undefined), null);
  });
});
