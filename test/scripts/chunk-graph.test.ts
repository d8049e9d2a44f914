import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../lib/runtime/package-root.js';

interface ModuleInfo {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

const script = path.join(packageRoot(), 'scripts', 'chunk-graph.mjs');
const { acyclicNames, refuseCycles } = (await import(pathToFileURL(script).href)) as {
  acyclicNames(
    starts: readonly string[],
    graph: { getModuleInfo(id: string): ModuleInfo | null },
    wanted: (id: string) => string | null,
  ): ReadonlyMap<string, string | null>;
  refuseCycles(output: readonly { readonly fileName: string; readonly imports?: readonly string[] }[]): void;
};

/** Names of modules, each of which loads some at once and some when used: `{ a: 'b c, d' }`. */
function named(modules: Readonly<Record<string, string>>, rooms: Readonly<Record<string, string>>) {
  const graph = {
    getModuleInfo(id: string) {
      const [atOnce = '', whenUsed = ''] = modules[id]?.split(', ') ?? [];
      const ids = (text: string) => text.split(' ').filter((one) => one !== '');
      return {
        code: id in modules ? '' : null,
        importedIds: ids(atOnce),
        dynamicallyImportedIds: ids(whenUsed),
      };
    },
  };
  return Object.fromEntries(acyclicNames(['start'], graph, (id) => rooms[id] ?? null));
}

describe('files of the bundle', () => {
  test('hold the modules that are to share one', () => {
    const names = named(
      { start: 'a node:fs, b', a: 'c', b: 'c', c: '' },
      { a: 'room', b: 'room', c: 'room' },
    );
    assert.deepEqual(names, { start: null, a: 'room', b: 'room', c: 'room' });
  });

  test('do not hold what a module needs that they need', () => {
    // The room would load `between`, and `between` the room.
    const modules = { start: ', x y', x: 'a', y: 'a', a: 'between', between: 'b', b: '' };
    const names = named(modules, { a: 'room', b: 'room' });
    assert.deepEqual(names, { start: null, x: null, y: null, a: 'room', between: null, b: null });
  });

  test('do not hold each other up through two rooms', () => {
    const modules = { start: ', a c', a: 'b', b: '', c: 'd', d: '' };
    const names = named(modules, { a: 'one', d: 'one', b: 'two', c: 'two' });
    // Of `a` and `b`, or of `c` and `d`, the rooms may hold both.
    assert.deepEqual(names, { start: null, a: null, b: null, c: 'two', d: 'one' });
  });

  test('do not hold a module loaded when used, where the file that hands it on holds what they need', () => {
    // `helper` goes with `a`, of which the bundler makes a file that takes `a` from the room.
    const modules = { start: ', a b', a: 'helper', b: '', helper: '' };
    assert.deepEqual(named(modules, { a: 'room', b: 'room' }), {
      start: null,
      a: null,
      b: 'room',
      helper: null,
    });
  });

  test('are refused where some load each other', () => {
    const file = (fileName: string, ...imports: readonly string[]) => ({ fileName, imports });
    refuseCycles([file('a.js', 'b.js', 'c.js', 'node:fs'), file('b.js', 'c.js'), { fileName: 'c.js' }]);
    assert.throws(
      () => refuseCycles([file('a.js', 'b.js'), file('b.js', 'c.js'), file('c.js', 'b.js'), file('d.js')]),
      /load each other: b\.js, c\.js$/,
    );
  });
});
