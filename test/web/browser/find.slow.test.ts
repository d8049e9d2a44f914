import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readBrowserConfig } from '../../../lib/config-browser.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { findBrowser } from '../../../lib/web/browser/find.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('the browser is the configured one, or the first that is installed', () => {
  const folder = temporaryFolder();
  const find = (env: Record<string, string>) => findBrowser(readBrowserConfig(env, 'linux'));
  assert.match(String(Object(find({ PATH: folder })).missing), /No Chrome, Chromium or Edge was found/);
  const edge = path.join(folder, 'microsoft-edge');
  const chrome = path.join(folder, 'google-chrome');
  for (const file of [edge, chrome]) writeFileSync(file, '#!/bin/sh\n');
  assert.equal(find({ PATH: folder }).path, null);
  chmodSync(edge, 0o755);
  assert.equal(find({ PATH: `relative:${folder}` }).path, edge);
  chmodSync(chrome, 0o755);
  assert.equal(find({ PATH: folder }).path, chrome);
  assert.equal(find({ PATH: folder, EXTRACT_BROWSER_PATH: edge }).path, edge);
  assert.match(
    String(Object(find({ PATH: folder, EXTRACT_BROWSER_PATH: folder })).missing),
    /names no program/,
  );
});

test('behind a proxy, the headless shell is not used, because it would bypass the proxy', () => {
  const folder = temporaryFolder();
  const shell = path.join(folder, 'chromium-headless-shell');
  writeFileSync(shell, '#!/bin/sh\n', { mode: 0o755 });
  const proxy = { httpsProxy: 'http://proxy.example:8080' };
  for (const env of [{ PATH: folder }, { EXTRACT_BROWSER_PATH: shell }]) {
    const config = readBrowserConfig(env, 'linux');
    assert.equal(findBrowser(config).path, shell);
    assert.match(
      String(Object(findBrowser({ ...config, ...proxy })).missing),
      /does not support proxy rules/,
    );
  }
  const edge = path.join(folder, 'microsoft-edge');
  writeFileSync(edge, '#!/bin/sh\n', { mode: 0o755 });
  assert.equal(findBrowser({ ...readBrowserConfig({ PATH: folder }, 'linux'), ...proxy }).path, edge);
});

test('the settings of the browser are read, and wrong ones refused', () => {
  const { browser, browserHeaded, browserContexts } = readBrowserConfig({}, 'linux');
  assert.deepEqual([browser, browserHeaded, browserContexts], ['auto', false, 2]);
  assert.equal(readBrowserConfig({ EXTRACT_BROWSER: 'Always' }).browser, 'always');
  for (const env of [{ EXTRACT_BROWSER: 'yes' }, { EXTRACT_BROWSER_CONTEXTS: '0' }]) {
    assert.throws(
      () => readBrowserConfig(env),
      (error) => error instanceof ExtractError && error.code === 'invalid_parameter',
    );
  }
});
