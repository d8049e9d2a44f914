import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createExtractor } from '../../lib/extractor.js';
import { baseUrlOf } from '../../lib/remote/base-url.js';
import { readLogin, removeLogin, writeLogin } from '../../lib/remote/login.js';
import { refusal } from '../ledger/ledger-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const login = { baseUrl: 'https://extract.example/v1', apiKey: 'xt_live_kept' };
const unset = { baseUrl: undefined, apiKey: undefined };

describe('the address of a server', () => {
  test('ends in its version, whether or not that was passed', () => {
    const same = ['', '/', '/v1', '/v1/'].map(
      (end) => [`https://extract.example${end}`, login.baseUrl] as const,
    );
    for (const [text, base] of [
      ...same,
      ['http://LOCALHOST:8787/api//', 'http://localhost:8787/api/v1'],
      ['http://[::1]:80/v1', 'http://[::1]/v1'],
    ] as const)
      assert.equal(baseUrlOf(text), base);
  });

  test('is http or https, with nothing else in it', () => {
    const urls = ['ftp://x.example', 'https://x.example/?a=1', 'https://x.example/#a', 'file:///etc'];
    for (const wrong of ['', 'extract.example', ...urls])
      assert.throws(() => baseUrlOf(wrong), refusal('invalid_parameter', /EXTRACT_BASE_URL/), wrong);
    assert.throws(
      () => baseUrlOf('https://ann:secret@x.example'),
      (error: Error) => !error.message.includes('secret'),
    );
  });
});

describe('a login', () => {
  test('is kept for its owner alone, replaced, and forgotten', () => {
    const home = path.join(folder, 'new', 'home');
    assert.equal(readLogin(home), null);
    writeLogin(home, login);
    assert.deepEqual(readLogin(home), login);
    assert.equal(statSync(path.join(home, 'login.json')).mode & 0o777, 0o600);
    writeLogin(home, { ...login, apiKey: 'xt_live_other' });
    assert.equal(readLogin(home)?.apiKey, 'xt_live_other');
    removeLogin(home);
    removeLogin(home);
    // Whatever is at that path, the message names this remedy.
    mkdirSync(path.join(home, 'login.json', 'x'), { recursive: true });
    assert.throws(() => readLogin(home), { message: /extract logout/ });
    removeLogin(home);
    assert.equal(readLogin(home), null);
  });

  test('on a full disk is not kept, and the disk is named', { skip: !existsSync('/dev/full') }, () => {
    const home = temporaryFolder();
    // The draft of the file, whose writes meet a full disk.
    symlinkSync('/dev/full', path.join(home, `login.json.${process.pid}`));
    assert.throws(() => writeLogin(home, login), {
      ...{ code: 'internal_error', fault: 'full' },
      message: `The login cannot be stored in ${home}: its disk is full; free some space.`,
    });
    assert.deepEqual(readdirSync(home), []);
  });

  test('that is damaged is reported, without its content', () => {
    const home = path.join(folder, 'damaged');
    mkdirSync(home);
    for (const text of ['{"api_key":"xt_live_kept"', '[]', '{"base_url":1,"api_key":"xt_live_kept"}']) {
      writeFileSync(path.join(home, 'login.json'), text);
      assert.throws(
        () => readLogin(home),
        (error: Error) => /damaged/.test(error.message) && !String(error.cause ?? '').includes('xt_live'),
      );
    }
  });

  test('that cannot be kept says why', () => {
    const home = path.join(folder, 'taken');
    mkdirSync(path.join(home, 'login.json', 'x'), { recursive: true });
    const reason = refusal('internal_error', /stored in .*taken: it is not writable; check the permissions/);
    assert.throws(() => writeLogin(home, login), reason);
    assert.deepEqual(readdirSync(home), ['login.json']);
    writeFileSync(path.join(folder, 'file'), '');
    const below = path.join(folder, 'file', 'home');
    assert.throws(
      () => writeLogin(below, login),
      refusal('internal_error', /stored in .*: it is not writable/),
    );
  });

  test('in a closed folder is neither kept nor removed, and says why', {
    skip: process.getuid?.() === 0 ? 'root may write everywhere' : false,
  }, () => {
    const home = path.join(folder, 'closed');
    writeLogin(home, login);
    chmodSync(home, 0o500);
    const reason = refusal('internal_error', /it is not writable; check the permissions/);
    assert.throws(() => writeLogin(home, login), reason);
    assert.throws(() => removeLogin(home), reason);
  });

  test('is used if no server is set', () => {
    const home = path.join(folder, 'used');
    writeLogin(home, login);
    const { config } = createExtractor({ home, ...unset });
    assert.deepEqual([config.baseUrl, config.apiKey], [login.baseUrl, login.apiKey]);
    assert.equal(createExtractor({ home, ...unset, apiKey: 'xt_live_mine' }).config.apiKey, 'xt_live_mine');
  });

  test('gives its key to its own server and to no other', () => {
    const home = path.join(folder, 'used');
    writeLogin(home, login);
    const keyFor = (baseUrl: string) => createExtractor({ home, ...unset, baseUrl }).config.apiKey;
    assert.equal(keyFor('https://extract.example'), login.apiKey);
    assert.equal(keyFor('https://other.example/v1'), undefined);
    assert.equal(keyFor('http://extract.example/v1'), undefined);
  });
});
