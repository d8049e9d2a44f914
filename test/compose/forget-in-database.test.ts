import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';
import { openDatabase } from '../../src/compose/open-postgres.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const subject = parseSubject('tiktok:@zebrabaker');
const item = JSON.stringify({ username: 'zebrabaker', about: 'x'.repeat(300) });
const line = `${JSON.stringify({ input: { query: 'list' }, data: [{ username: 'zebrabaker' }, { username: 'other' }] })}\n`;

const rows: readonly (readonly [sql: string, values: readonly (string | number)[]])[] = [
  ["INSERT INTO answers (key, value, namespace, expires) VALUES ('a', $1, '', 9e15::bigint)", [item]],
  ["INSERT INTO answers (key, value, namespace, expires) VALUES ('b', '{}', '', 9e15::bigint)", []],
  ['CREATE TABLE job_results_7 PARTITION OF job_results FOR VALUES IN (7)', []],
  ["INSERT INTO job_results (day, job, place, line) VALUES (7, 'job_1', 0, $1)", [line]],
  [
    "INSERT INTO job_results (day, job, place, line) VALUES (7, 'job_1', 1, $1)",
    [`{"input":{},"data":${item}}\n`],
  ],
  ["INSERT INTO schedule_inputs (schedule, place, input, given) VALUES ('sched_1', 0, $1, $1)", [item]],
  [
    'INSERT INTO schedule_inputs (schedule, place, input, given) VALUES (\'sched_1\', 1, \'{"id":"1"}\', $1)',
    [item],
  ],
  ["INSERT INTO history_scopes (name, scope, last_number) VALUES ('sched_1', 1, 9)", []],
  [
    "INSERT INTO history_objects (scope, number, object, key, id, fields, first_at, last_at) VALUES (1, 2, 'shortvideo_comment', '1', '1', $1, 1, 1)",
    [item],
  ],
  [
    'INSERT INTO history_appearances (scope, subject, object, position, first_at, last_at, missing) VALUES (1, 1, 2, 1, 1, 1, 0)',
    [],
  ],
  [
    "INSERT INTO health_now (endpoint, standing) VALUES ('shortvideo/profile', $1)",
    [
      `{"reasons":["no zebrabaker"],"errors":[{"message":"no zebrabaker"}],"canary":{"source":"x.test/zebrabaker"}}`,
    ],
  ],
];

/** The store of a new database, and a connection of the test's own to look at its tables. */
async function openBoth() {
  const { config, drop } = await makeTestDatabase();
  after(drop);
  const store = await openDatabase(config, { home: temporaryFolder(), clock: systemClock, trialCredits: 0 });
  after(() => store.close());
  const postgres = await Postgres.open({ ...config, connections: 1 }, systemClock, defaultTimeouts);
  after(() => postgres.close());
  return { store, postgres };
}

describe('forgetting a subject in a database', { skip: skipWithoutPostgres }, () => {
  test('removes it from every table, and keeps the length of results', async () => {
    const { store, postgres } = await openBoth();
    for (const [sql, values] of rows) await postgres.write((queries) => queries.run(sql, values));
    const text = { kind: 'draft', id: 'd', owner: 'acct', value: item, lifetimeMs: 60_000 };
    await store.expiringStore?.put(text, 10);
    const receipt = await store.forget(subject, new Traces([subject]));
    const counts = receipt.map(({ removed }) => removed);
    assert.deepEqual(counts, [2, 2, 1, 2, 0, 1, 1], JSON.stringify(receipt));
    const tables = await postgres.read((queries) =>
      queries.rows<{ name: string }>(
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
      ),
    );
    assert.ok(tables.length > 20);
    for (const { name } of tables) {
      const rows = await postgres.read((queries) =>
        queries.rows(`SELECT 1 FROM ${name} AS t WHERE t::text ~* 'zebrabaker'`),
      );
      assert.deepEqual(rows, [], name);
    }
    assert.equal(await store.expiringStore?.find('draft', 'd'), undefined);
    const lines = await postgres.read((queries) =>
      queries.rows<{ line: string }>('SELECT line FROM job_results ORDER BY place'),
    );
    assert.equal(lines[0]?.line.length, line.length);
    assert.deepEqual(JSON.parse(lines[0]?.line ?? '').data, [{ username: 'other' }]);
    assert.equal(JSON.parse(lines[1]?.line ?? '').error.code, 'subject_suppressed');
    const again = await store.forget(subject, new Traces([subject]));
    for (const { removed } of again) assert.equal(removed, 0, JSON.stringify(again));
  });

  test('finds letters beyond ASCII, in either case and in any form', async () => {
    const { store, postgres } = await openBoth();
    const namings = ['ИВАН ЙОВ', 'Иван Йов'.normalize('NFD'), 'Мария'];
    await postgres.write((queries) =>
      queries.run('CREATE TABLE job_results_7 PARTITION OF job_results FOR VALUES IN (7)'),
    );
    for (const [at, name] of namings.entries())
      await postgres.write(async (queries) => {
        await queries.run(
          "INSERT INTO answers (key, value, namespace, expires) VALUES ($1, $2, '', 9e15::bigint)",
          [String(at), JSON.stringify({ name })],
        );
        await queries.run("INSERT INTO job_results (day, job, place, line) VALUES (7, 'job_1', $1, $2)", [
          at,
          `${JSON.stringify({ input: {}, data: { name, about: 'x'.repeat(300) } })}\n`,
        ]);
      });
    const person = parseSubject('maps:Иван Йов');
    const receipt = await store.forget(person, new Traces([person]));
    const removed = Object.fromEntries(receipt.map((one) => [one.place, one.removed]));
    assert.deepEqual([removed['results of jobs'], removed['cached answers']], [2, 2]);
    const lines = await postgres.read((queries) =>
      queries.rows<{ line: string }>('SELECT line FROM job_results ORDER BY place'),
    );
    const codes = lines.map(({ line }) => JSON.parse(line).error?.code ?? null);
    assert.deepEqual(codes, ['subject_suppressed', 'subject_suppressed', null]);
  });
});
