import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { forgetAddress, noteAddress, notedAddress } from '../../src/compose/server-address.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('the address of a server is recorded and removed, and an impossible one is not an error', () => {
  const home = temporaryFolder();
  noteAddress(home, 'http://127.0.0.1:8787');
  assert.equal(notedAddress(home), 'http://127.0.0.1:8787');
  forgetAddress(home);
  assert.equal(notedAddress(home), undefined);
  mkdirSync(path.join(home, 'address'));
  noteAddress(home, 'http://127.0.0.1:8787');
  assert.equal(notedAddress(home), undefined);
  forgetAddress(home);
});
