import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { notedAddress } from '../../src/compose/server-address.js';
import { serveHome } from '../support/serve-home.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a server records its address for links, and logs where unsent e-mails are stored', async () => {
  const home = path.join(temporaryFolder(), 'home');
  const running = await serveHome(home);
  try {
    const { port } = new URL(running.url);
    const noted = notedAddress(home);
    assert.equal(new URL(noted ?? '').port, port);
    assert.ok(running.adminLink?.startsWith(`${noted}/`), running.adminLink ?? '');
    const page = await (await fetch(`${running.url}/sign-in/sent`)).text();
    assert.match(page, /Your link is on this machine/);
    assert.ok(page.includes(path.join(home, 'mails')));
  } finally {
    await running.stop();
  }
  assert.equal(notedAddress(home), undefined);
});
