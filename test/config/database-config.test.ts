import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDatabaseConfig } from '../../src/config/database-config.js';
import { checkDatabaseUrl, databasePassword, shownDatabaseUrl } from '../../src/config/database-url.js';
import { refusal } from '../ledger/ledger-port.js';

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
    const like = /^(?!.*geheim).*must be like postgres:\/\//s;
    for (const url of ['mysql://u:geheim@h/d', 'postgres:', 'geheim', 'postgres://u:geheim@h:port/d'])
      assert.throws(() => checkDatabaseUrl(url), refusal('invalid_parameter', like));
    const mode = refusal('invalid_parameter', /^(?!.*geheim).*sslmode/s);
    assert.throws(() => checkDatabaseUrl('postgres://u:geheim@h/d?sslmode=on'), mode);
  });

  test('is shown without user, password and what else it may carry', () => {
    const [remote, socket] = ['db.example.com:5433/extract?sslmode=require', '/extract?host=/run/postgresql'];
    const withPassword = `postgres://u:geheim@${remote}&password=auch`;
    assert.equal(shownDatabaseUrl(withPassword), `postgres://***@${remote}`);
    assert.equal(shownDatabaseUrl(`postgres://u@${socket}`), `postgres://***@${socket}`);
    assert.equal(databasePassword('postgres://u:ge%20heim@h/d'), 'ge heim');
    assert.equal(databasePassword('postgres://h/d?password=auch'), 'auch');
    assert.equal(databasePassword('nothing'), undefined);
  });

  test('comes with a number of connections', () => {
    assert.deepEqual(readDatabaseConfig({}), { database: undefined });
    const url = 'postgres://h/d';
    assert.deepEqual(readDatabaseConfig({ EXTRACT_DATABASE_URL: url }).database, { url, connections: 10 });
    for (const connections of ['0', '3', '501', 'many']) {
      const settings = { EXTRACT_DATABASE_URL: url, EXTRACT_DATABASE_CONNECTIONS: connections };
      const wrong = refusal('invalid_parameter', /EXTRACT_DATABASE_CONNECTIONS/);
      assert.throws(() => readDatabaseConfig(settings), wrong);
    }
  });
});
