import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { readDatabaseConfig } from '../../src/config/database-config.js';
import { checkDatabaseUrl, databasePassword, shownDatabaseUrl } from '../../src/config/database-url.js';

const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof ExtractError && error.code === 'invalid_parameter' && pattern.test(error.message);

describe('the address of a database', () => {
  test('is one of PostgreSQL, by network or by socket', () => {
    for (const url of [
      'postgres://extract:pw@db.example.com:5432/extract',
      'postgresql://db/extract?sslmode=verify-full',
      'postgres://extract@/extract?host=/run/postgresql',
      'postgres://extract@%2Frun%2Fpostgresql/extract',
      'postgres:///extract',
    ])
      checkDatabaseUrl(url);
  });

  test('accepts nothing else, and no error repeats its password', () => {
    for (const url of ['mysql://u:geheim@h/d', 'postgres:', 'geheim', 'postgres://u:geheim@h:port/d']) {
      assert.throws(() => checkDatabaseUrl(url), refused(/must be like postgres:\/\//));
    }
    assert.throws(() => checkDatabaseUrl('postgres://u:geheim@h/d?sslmode=on'), refused(/sslmode/));
    assert.throws(
      () => checkDatabaseUrl('postgres://u:geheim@h/d?sslmode=on'),
      (error: Error) => !error.message.includes('geheim'),
    );
  });

  test('is shown without user, password and what else it may carry', () => {
    assert.equal(
      shownDatabaseUrl('postgres://u:geheim@db.example.com:5433/extract?sslmode=require&password=auch'),
      'postgres://***@db.example.com:5433/extract?sslmode=require',
    );
    assert.equal(
      shownDatabaseUrl('postgres://u@/extract?host=/run/postgresql'),
      'postgres://***@/extract?host=/run/postgresql',
    );
    assert.equal(databasePassword('postgres://u:ge%20heim@h/d'), 'ge heim');
    assert.equal(databasePassword('postgres://h/d?password=auch'), 'auch');
    assert.equal(databasePassword('nothing'), undefined);
  });

  test('comes with a number of connections', () => {
    assert.deepEqual(readDatabaseConfig({}), { database: undefined });
    const url = 'postgres://h/d';
    assert.deepEqual(readDatabaseConfig({ EXTRACT_DATABASE_URL: url }).database, { url, connections: 10 });
    for (const connections of ['0', '3', '501', 'many']) {
      assert.throws(
        () => readDatabaseConfig({ EXTRACT_DATABASE_URL: url, EXTRACT_DATABASE_CONNECTIONS: connections }),
        refused(/EXTRACT_DATABASE_CONNECTIONS/),
      );
    }
  });
});
