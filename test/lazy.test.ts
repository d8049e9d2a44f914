import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { defineEndpoint } from '../lib/endpoint.js';
import { getShortvideoProfile } from '../lib/endpoints.js';
import { text } from '../lib/params/vocabulary.js';
import { packageRoot } from '../lib/runtime/package-root.js';

/** Modules that are loaded along with a source file: what it imports for more than types, and what those import. */
function loadedWith(file: string, visited = new Set<string>()): Set<string> {
  if (visited.has(file)) return visited;
  visited.add(file);
  if (!file.startsWith('/')) return visited;
  const imports = /^(?:import|export)\s+(?!type\b)(?:[^'"();]*?\s+from\s+)?'([^']+)'/gm;
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (!specifier.startsWith('.')) loadedWith(specifier, visited);
    else if (!specifier.endsWith('.json')) {
      const next = path.join(path.dirname(file), specifier);
      const candidates = ['.ts', '.tsx', '.js'].map((ending) => next.replace(/\.js$/, ending));
      loadedWith(candidates.find((name) => existsSync(name)) ?? next, visited);
    }
  }
  return visited;
}

test('commands other than the tool server load neither the SDK nor the server', () => {
  const beginnings = ['src/faces/cli/process.ts', 'src/faces/cli/commands/mcp.ts'];
  const loaded = beginnings.flatMap((file) => [...loadedWith(path.join(packageRoot(), file))]);
  assert.ok(loaded.some((file) => file.endsWith('/commands/mcp.ts')));
  assert.ok(loaded.includes('commander'));
  assert.deepEqual(
    loaded.filter((file) => /@modelcontextprotocol|fastify|mcp\/(stdio|tool-server|routes)/.test(file)),
    [],
  );
});

test('the parameters of an endpoint are made once, when they are first looked at', () => {
  let count = 0;
  const { endpoint } = getShortvideoProfile;
  const row = defineEndpoint({
    path: 'shortvideo/late',
    operation: 'late',
    summary: '',
    description: '',
    credits: 1,
    cacheSeconds: 60,
    site: endpoint.site,
    params: () => {
      count += 1;
      return { name: text('A name.') };
    },
    returns: endpoint.returns,
    many: false,
    identify: ({ name = '' }) => ({ name }),
    read: () => assert.fail('nothing is read'),
  });
  assert.equal(count, 0);
  assert.deepEqual(Object.keys(row.params), ['name', 'fresh', 'demo', 'sources']);
  assert.equal(row.params, row.params);
  assert.equal(count, 1);
});
