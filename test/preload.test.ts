import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../lib/runtime/package-root.js';

/** Modules that no call of a server needs: pages saved, archived and replayed, and other servers. */
const unused = [
  'call/fetch-recorded',
  'web/saved-pages',
  'web/save-pages',
  'remote/remote',
  'base-extractor',
];

test('a server loads before it listens every module that the library imports when it is first needed', () => {
  const lib = path.join(packageRoot(), 'lib');
  const imported = (file: string) =>
    [...readFileSync(path.join(lib, file), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) =>
      name.startsWith('.') ? path.join(path.dirname(file), name).replace(/\.js$/, '') : name,
    );
  const files = readdirSync(lib, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'));
  // The browser's driver is loaded separately, if there is one.
  const early = ['preload.ts', 'web/browser/ready.ts'];
  // Each loads a driver, and is called itself before a server listens: by the preload, the database, the browser.
  const drivers = ['database/sqlite/driver.ts', 'database/postgres/connect.ts', 'web/browser/find.ts'];
  const others = files.filter((file) => ![...early, ...drivers].includes(file));
  const late = new Set(others.flatMap(imported));
  assert.match(readFileSync(path.join(lib, 'preload.ts'), 'utf8'), /^ {4}loadDriver\(\),$/m);
  assert.ok(late.size > 10);
  assert.deepEqual([...late].filter((name) => !unused.includes(name)).sort(), early.flatMap(imported).sort());
});
