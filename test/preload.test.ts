import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../lib/runtime/package-root.js';

/** Modules that no call of a server needs: pages saved and replayed, and other servers. */
const unused = ['web/saved-pages', 'web/save-pages', 'remote/remote', 'base-extractor'];

test('a server loads before it listens every module that the library imports when it is first needed', () => {
  const lib = path.join(packageRoot(), 'lib');
  const imported = (file: string) =>
    [...readFileSync(path.join(lib, file), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) =>
      name.startsWith('.') ? path.join(path.dirname(file), name).replace(/\.js$/, '') : name,
    );
  const files = readdirSync(lib, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'));
  // What drives the browser is loaded apart, where there is one; SQLite by the function that loads it everywhere.
  const early = ['preload.ts', 'web/browser/ready.ts', 'sqlite/driver.ts'];
  const late = new Set(files.filter((file) => !early.includes(file)).flatMap(imported));
  assert.ok(late.size > 10);
  // SQLite has a function that loads it, which is called here as elsewhere.
  const called = /\bloadDriver\(\)/.test(readFileSync(path.join(lib, 'preload.ts'), 'utf8'));
  const loaded = [...early.flatMap(imported), ...(called ? ['better-sqlite3'] : [])];
  assert.deepEqual([...late].filter((name) => !unused.includes(name)).sort(), loaded.sort());
});
