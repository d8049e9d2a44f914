import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { pythonClient } from '../../scripts/python-client.js';

const folder = 'clients/python/src/public_extract';

test('the Python client is what the table makes of it', () => {
  const files = pythonClient();
  for (const [name, text] of Object.entries(files)) {
    const committed = readFileSync(path.join(packageRoot(), name), 'utf8');
    assert.equal(committed, text, `run \`npm run generate\`: ${name}`);
  }
  const generated = readdirSync(path.join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py'))
    .map((name) => path.posix.join(folder, name))
    .filter((name) => readFileSync(path.join(packageRoot(), name), 'utf8').startsWith('# Written by'));
  assert.deepEqual(
    generated.sort(),
    Object.keys(files).sort(),
    'nothing is left of what the table no longer has',
  );
  const methods = Object.values(files).join('\n');
  for (const { operation } of endpoints) {
    assert.match(methods, new RegExp(`\\n {4}def ${operation}\\(`));
    assert.match(methods, new RegExp(`\\n {4}async def ${operation}\\(`));
  }
});
