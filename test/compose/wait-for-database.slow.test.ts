import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../lib/config.js';
import { serve } from '../../src/compose/serve.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { makeCluster } from '../support/postgres-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('a server that starts before its database', { skip: skipWithoutPostgres }, () => {
  const lines: string[] = [];
  const start = (signal?: AbortSignal) =>
    serve({
      config: readConfig({ home: path.join(temporaryFolder(), 'home'), browser: 'never' }),
      server: readServerConfig({ port: 0 }),
      hosting: readHostingConfig({}),
      log: { write: (line) => lines.push(line) },
      drainMs: 100,
      signal,
    });
  after(() => {
    delete process.env.EXTRACT_DATABASE_URL;
  });

  test('waits for it with a message, and stops when aborted', async () => {
    const cluster = await makeCluster();
    after(() => cluster.remove());
    await cluster.crash();
    process.env.EXTRACT_DATABASE_URL = cluster.url;
    const abort = new AbortController();
    const refused = assert.rejects(start(abort.signal), { name: 'AbortError' });
    const starting = start();
    while (lines.length < 2) await pause(20);
    assert.match(lines.join(''), /waiting for the database: The database cannot be reached/);
    abort.abort();
    await refused;
    await cluster.start();
    const running = await starting;
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200);
    await running.stop();
  });

  test('does not wait for what needs a correction', async () => {
    const cluster = await makeCluster();
    after(() => cluster.remove());
    process.env.EXTRACT_DATABASE_URL = cluster.url.replace(/postgres$/, 'nowhere');
    await assert.rejects(start(), { fault: 'unwritable', message: /does not exist/ });
  });
});
