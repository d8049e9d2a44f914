import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../lib/config.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { cursorSecret, pseudonymSecret, sharedPseudonymSecret } from '../../lib/runtime/secret.js';
import { openServices } from '../../lib/services.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const hasKey = (error: unknown, words: RegExp) =>
  error instanceof StorageError && error.message.includes('cursor.key') && words.test(error.message);

for (const [name, text] of [
  ['an empty file', ''],
  ['a letter', 'Dear Sir or Madam'],
  ['half a key', 'ab'.repeat(16)],
  ['a key with a wrong digit', `${'ab'.repeat(31)}xy`],
] as const) {
  test(`${name} instead of the key is an error that names the file and the remedy, and leaves the file unchanged`, async () => {
    const home = temporaryFolder();
    const file = path.join(home, 'cursor.key');
    writeFileSync(file, text);
    await assert.rejects(cursorSecret(home), (error) => hasKey(error, /backup.*delete it/));
    assert.equal(readFileSync(file, 'utf8'), text);
  });
}

test('concurrent first readers get the same new key, and no temporary file remains', async () => {
  const home = path.join(temporaryFolder(), 'asked at once');
  const keys = await Promise.all(Array.from({ length: 20 }, () => cursorSecret(home)));
  assert.deepEqual(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size, 1);
  assert.deepEqual(await cursorSecret(home), keys[0]);
  assert.deepEqual(readdirSync(home), ['cursor.key']);
});

test('a key that could not be read once is read again', async () => {
  const home = temporaryFolder();
  const file = path.join(home, 'cursor.key');
  mkdirSync(file);
  const services = openServices(readConfig({ home }, {}));
  await assert.rejects(services.secret(), (error) => hasKey(error, /permissions/));
  rmSync(file, { recursive: true });
  assert.equal((await services.secret()).length, 32);
  await services.close();
});

test('the pseudonym key is a separate one, and a shared one is read but never created', async () => {
  const home = temporaryFolder();
  const file = path.join(home, 'pseudonym.key');
  await assert.rejects(sharedPseudonymSecret(file), /key file .* does not exist.*openssl rand/);
  const secret = await pseudonymSecret(home);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(await sharedPseudonymSecret(file), secret);
  assert.notDeepEqual(await cursorSecret(home), secret);
  writeFileSync(file, 'none');
  await assert.rejects(sharedPseudonymSecret(file), /pseudonym\.key: it contains no key/);
});
