import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../lib/root.js';

/** Modules that are loaded along with a source file: what it imports for more than types, and what those import. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith('/')) return seen;
  const imports = /^(?:import|export)\s+(?!type\b)(?:[^'"();]*?\s+from\s+)?'([^']+)'/gm;
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    const next = specifier.startsWith('.')
      ? path.join(path.dirname(file), specifier).replace(/\.js$/, '.ts')
      : specifier;
    if (!next.endsWith('.json') && !next.endsWith('.tsx')) loadedWith(next, seen);
  }
  return seen;
}

test('commands other than the tool server load neither the SDK nor the server', () => {
  const beginnings = ['src/cli/process.ts', 'src/cli/commands/mcp.ts'];
  const loaded = beginnings.flatMap((file) => [...loadedWith(path.join(packageRoot(), file))]);
  assert.ok(loaded.some((file) => file.endsWith('/commands/mcp.ts')));
  assert.ok(loaded.includes('commander'));
  assert.deepEqual(
    loaded.filter((file) => /@modelcontextprotocol|fastify|mcp\/(stdio|tool-server|routes)/.test(file)),
    [],
  );
});

test('nothing loads what sends mails, takes payments or lists disposable services before it is wanted', () => {
  const beginnings = ['src/cli/process.ts', 'src/cli/commands/accounts.ts', 'src/server/serve.ts'];
  const loaded = beginnings.flatMap((file) => [...loadedWith(path.join(packageRoot(), file))]);
  assert.ok(loaded.some((file) => file.endsWith('/accounts/open-desk.ts')));
  assert.deepEqual(
    loaded.filter((file) => /^(nodemailer|stripe|mailchecker)/.test(file)),
    [],
  );
});
