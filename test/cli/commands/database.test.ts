import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Postgres } from '../../../lib/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { postgresSchemas } from '../../../src/open-postgres.js';
import { extract, testHome } from '../../support/cli.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../../support/postgres.js';

const password = 'not-to-be-shown';

async function runCommand(...args: string[]) {
  const ran = await extract([...args, '--json']);
  const { data, error } = JSON.parse(ran.out === '' ? ran.err : ran.out);
  assert.ok(!`${ran.out}${ran.err}`.includes(password));
  return { status: ran.status, data, error };
}

// Made here, so that it lasts for the whole file.
testHome();
afterEach(() => {
  delete process.env.EXTRACT_DATABASE_URL;
});

describe('extract database, without one', () => {
  test('says which setting names it', async () => {
    for (const command of ['migrate', 'check']) {
      const { status, error } = await runCommand('database', command);
      assert.equal(status, 2);
      assert.match(error.message, /No database is set\. Set EXTRACT_DATABASE_URL/);
    }
    process.env.EXTRACT_DATABASE_URL = `mysql://extract:${password}@db/extract`;
    const { status, error } = await runCommand('database', 'check');
    assert.equal(status, 2);
    assert.match(error.message, /EXTRACT_DATABASE_URL must be like postgres:/);
  });

  test('says so where none answers', async () => {
    process.env.EXTRACT_DATABASE_URL = `postgres://extract:${password}@127.0.0.1:1/extract`;
    const { status, error } = await runCommand('database', 'check');
    assert.notEqual(status, 0);
    assert.match(error.message, /cannot be reached/);
  });

  test('shows the setting without user and password', async () => {
    process.env.EXTRACT_DATABASE_URL = `postgres://extract:${password}@db.example.com/extract?sslmode=require`;
    const { data } = await runCommand('config');
    const { value } = data.find(({ setting }: { setting: string }) => setting === 'EXTRACT_DATABASE_URL');
    assert.equal(value, 'postgres://***@db.example.com/extract?sslmode=require');
  });

  test('leaves no command with half of its state elsewhere', async () => {
    process.env.EXTRACT_DATABASE_URL = 'postgres://db.example.com/extract';
    const { status, error } = await runCommand('accounts', 'list');
    assert.equal(status, 2);
    assert.match(error.message, /Remove EXTRACT_DATABASE_URL/);
  });
});

describe('extract database', { skip: skipWithoutPostgres }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await makeTestDatabase();
  });
  after(() => database.drop());

  const row = (name: string, steps: number, version: number, state: string) => ({
    tables: name,
    version,
    wanted: steps,
    state,
  });

  test('checks, migrates once, and refuses what is newer', async () => {
    process.env.EXTRACT_DATABASE_URL = database.config.url;
    const expected = (version: (steps: number) => number, state: string) =>
      postgresSchemas.map(({ name, steps }) => row(name, steps.length, version(steps.length), state));
    const first = await runCommand('database', 'check');
    assert.deepEqual([first.status, first.data], [1, expected(() => 0, 'to be migrated')]);
    const migrated = await runCommand('database', 'migrate');
    assert.deepEqual([migrated.status, migrated.data], [0, expected((steps) => steps, 'migrated')]);
    for (const command of ['migrate', 'check']) {
      const again = await runCommand('database', command);
      assert.deepEqual([again.status, again.data], [0, expected((steps) => steps, 'current')]);
    }
    const postgres = await Postgres.open(database.config, systemClock);
    await postgres.write((queries) => queries.run('UPDATE schema_versions SET version = version + 1'));
    await postgres.close();
    for (const command of ['migrate', 'check']) {
      const newer = await runCommand('database', command);
      assert.notEqual(newer.status, 0);
      assert.match(newer.error.message, /later version of this program/);
    }
  });
});
