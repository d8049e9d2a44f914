import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nativeModuleFault } from '../../../lib/database/sqlite/driver.js';
import { sqliteFault } from '../../../lib/database/sqlite/sqlite-fault.js';

/** What the program of each bundler throws that took better-sqlite3 along. */
const bundled = {
  'esbuild, ESM': 'Dynamic require of "fs" is not supported',
  'esbuild, CommonJS':
    "Cannot find module '/app/build/Release/better_sqlite3.node'\nRequire stack:\n- /app/out.cjs",
  'rollup, CommonJS':
    'Could not dynamically require "/app/build/Release/better_sqlite3.node". Please configure the dynamicRequireTargets option.',
  'rollup, ESM': 'require is not defined in ES module scope, you can use import instead',
};

describe('a native module that was bundled', () => {
  for (const [bundler, message] of Object.entries(bundled)) {
    test(`by ${bundler} is named, with a remedy`, () => {
      const cause = new Error(message);
      assert.equal(sqliteFault(cause), 'uninstalled');
      const [line = ''] = message.split('\n');
      const fault = nativeModuleFault(cause);
      assert.match(fault, /was bundled.*serverExternalPackages.*public-extract\/client/);
      assert.ok(fault.endsWith(`The cause: ${line.replace(/\.$/, '')}.`), fault);
    });
  }

  test('is not taken for one that is missing or does not fit', () => {
    const missing = new Error("Cannot find package 'better-sqlite3' imported from /app/x.js");
    assert.match(nativeModuleFault(missing), /is not installed/);
  });
});
