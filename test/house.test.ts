import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { packageRoot } from '../lib/runtime/package-root.js';

/** A source file as the laws see it. */
interface Source {
  readonly name: string;
  readonly text: string;
  /** What it imports, in whichever way: paths from the root without ending, packages by their name. */
  readonly imports: readonly string[];
}

function sourceOf(name: string, text: string): Source {
  const found = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const builtins = [...text.matchAll(/getBuiltinModule\(\s*['"]([^'"]+)/g)].map(([, one = '']) => one);
  const imports = [...found, ...builtins].map((one) =>
    one.startsWith('.') ? path.posix.join(path.posix.dirname(name), one).replace(/\.(js|tsx?)$/, '') : one,
  );
  return { name, text, imports };
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(path.join(packageRoot(), folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => sourceOf(name, readFileSync(path.join(packageRoot(), name), 'utf8')));
}

const sources = [...sourcesIn('lib'), ...sourcesIn('src')];

interface Law {
  readonly name: string;
  /** The files that it is about. */
  readonly about: RegExp;
  /** What is wrong with a file; undefined when nothing is. */
  complaint(file: Source, all: readonly Source[]): string | undefined;
  /** Files that get round it, or try to. */
  readonly tricks: Readonly<Record<string, string>>;
}

/** What a law says of files: a list without any that it is about says nothing, and so fails. */
function broken(law: Law, all: readonly Source[]): string[] {
  const files = all.filter(({ name }) => law.about.test(name));
  assert.ok(files.length > 0, `No file is left that the law is about: ${law.name}.`);
  return files.flatMap((file) => {
    const complaint = law.complaint(file, all);
    return complaint === undefined ? [] : [`${file.name}: ${complaint}`];
  });
}

const face = (name: string) => /^src\/(cli|server|mcp|dashboard)\//.exec(name)?.[1];
const stem = (name: string) => name.replace(/\.tsx?$/, '');

/** The modules that each module reaches by imports of its own project. */
function circleThrough({ name }: Source, all: readonly Source[]): string | undefined {
  const byStem = new Map(all.map((file) => [stem(file.name), file]));
  const from = new Map<string, string>();
  const queue = [stem(name)];
  for (const at of queue) {
    for (const next of byStem.get(at)?.imports ?? []) {
      if (next === stem(name)) {
        const way = [at];
        for (let back = from.get(at); back !== undefined; back = from.get(back)) way.unshift(back);
        return [...way, next].join(' → ');
      }
      if (!byStem.has(next) || from.has(next)) continue;
      from.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

/** The module that a file belongs to: accounts, jobs, the ledger and so on. */
const moduleOf = (name: string) => name.split('/').slice(0, 2).join('/');

/** Tables that each module's schema makes, with the module. */
function tablesOf(all: readonly Source[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { name, text } of all) {
    if (!/-schema\.ts$/.test(name)) continue;
    for (const [, table = ''] of text.matchAll(
      /CREATE (?:VIRTUAL |UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g,
    )) {
      owners.set(table, moduleOf(name));
    }
  }
  return owners;
}

/** Files that put stores together, and the few others that stand on SQLite itself. */
const namesStores: ReadonlySet<string> = new Set([
  'lib/services.ts',
  'lib/preload.ts',
  'lib/cache/open-cache.ts',
  'src/open-store.ts',
  'src/database-tables.ts',
  'src/open-postgres.ts',
  'src/import-directory.ts',
  'src/store-files.ts',
  // The system's locks of files, which SQLite takes.
  'lib/runtime/file-lock.ts',
  // The native module itself is what it checks.
  'src/doctor/check-program.ts',
  // SQLite as a format of results, as XLSX is.
  'src/result-files/write-file.ts',
]);

const laws: readonly Law[] = [
  {
    name: 'the library never imports the programs around it',
    about: /^lib\//,
    complaint: ({ imports }) => imports.find((one) => one.startsWith('src/')),
    tricks: { 'lib/a.ts': "const later = () => import('../src/serve.js');" },
  },
  {
    name: 'a platform imports only what reading needs, and no other platform',
    about: /^lib\/platforms\/\w+\//,
    complaint({ name, imports }) {
      const allowed =
        /^(lib\/(read|params|errors)\/|lib\/web\/page-source$|lib\/(endpoint|object|endpoint-function)$|zod$)/;
      const own = name.split('/').slice(0, 3).join('/');
      return imports.find((one) => !one.startsWith(`${own}/`) && !allowed.test(one));
    },
    tricks: {
      'lib/platforms/maps/a.ts': "import type { Cooldown } from '../../web/cooldown.js';",
      'lib/platforms/maps/b.ts': "export { site } from '../shortvideo/site.js';",
    },
  },
  {
    name: 'reading knows no network, no clock and no environment',
    about: /^lib\/(read|platforms)\//,
    complaint: ({ text, imports }) =>
      imports.find((one) => /^node:(?!(buffer|util|crypto)$)/.test(one)) ??
      /\b(process\b(?!\w)|Date\.now\b|new Date\(\)|performance\.now|Math\.random|setTimeout|(?<![.\w])fetch\()/.exec(
        text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, ''),
      )?.[0],
    tricks: {
      'lib/read/a.ts': "const { env } = globalThis['process'] ?? process;",
      'lib/read/b.ts': 'const now = Date.now;',
      'lib/platforms/maps/c.ts': "const { readFile } = await import('node:fs/promises');",
    },
  },
  {
    name: 'only configuration reads the environment',
    about: /^(lib|src)\//,
    complaint: ({ name, text }) =>
      /^(lib\/config(-\w+)?|src\/config\/[\w-]+)\.ts$/.test(name)
        ? undefined
        : /process\s*(\??\.|\[\s*['"`])\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.exec(text)?.[0],
    tricks: {
      'src/cli/a.ts': "const home = process['env'].HOME;",
      'lib/b.ts': 'const { env } = process;',
    },
  },
  {
    name: 'only the web door opens connections to platforms, and the remote mode to a server',
    about: /^lib\//,
    complaint: ({ name, imports }) =>
      /^lib\/(web|remote)\//.test(name)
        ? undefined
        : imports.find((one) => /^(undici|node:(https?|http2|net|tls|dgram))$/.test(one)),
    tricks: { 'lib/read/a.ts': "const net = process.getBuiltinModule('node:net');" },
  },
  {
    name: 'a face imports no other face: command line, server, tools and dashboard meet in the roots',
    about: /^src\/(cli|server|mcp|dashboard)\//,
    complaint: ({ name, imports }) =>
      imports.find((one) => face(`${one}/`) !== undefined && face(`${one}/`) !== face(name)),
    tricks: { 'src/mcp/a.ts': "type Sink = import('../cli/context.js').Sink;" },
  },
  {
    name: 'accounts, jobs, usage and health know no face and no root',
    about: /^src\/(accounts|jobs|usage|health|output|result-files|config)\//,
    complaint: ({ imports }) =>
      imports.find(
        (one) =>
          face(`${one}/`) !== undefined ||
          /^src\/(serve|serve-tools|faces|stores|open-store|open-postgres|database-tables)$/.test(one),
      ),
    tricks: { 'src/accounts/a.ts': "import type { OpenStore } from '../open-store.js';" },
  },
  {
    name: 'no page or route sees a database',
    about: /^src\/(cli|server|mcp|dashboard|output|batch-files)\//,
    complaint: ({ imports }) =>
      imports.find(
        (one) => /^(better-sqlite3|pg|pg-boss)$/.test(one) || /(^|\/)(sqlite|postgres)(\/|$)/.test(one),
      ),
    tricks: {
      'src/dashboard/a.ts': "import type { Database } from 'better-sqlite3';",
      'src/server/b.ts': "const { openLedger } = await import('../../lib/ledger/sqlite/sqlite-ledger.js');",
      'src/server/c.ts': "import { Postgres } from '../../lib/postgres/postgres.js';",
      'src/cli/d.ts': "const pg = await import('pg');",
    },
  },
  {
    name: 'one file imports the driver of SQLite',
    about: /^(lib|src)\//,
    complaint: ({ name, imports }) =>
      name === 'lib/sqlite/driver.ts'
        ? undefined
        : imports.find((one) => /^(better-sqlite3|node:sqlite|sqlite3?)$/.test(one)),
    tricks: {
      'src/jobs/sqlite/a.ts': "import type { Database } from 'better-sqlite3';",
      'lib/cache/b.ts': "const { DatabaseSync } = process.getBuiltinModule('node:sqlite');",
    },
  },
  {
    name: 'one folder imports the driver of PostgreSQL, and one its engine of jobs',
    about: /^(lib|src)\//,
    complaint: ({ name, imports }) =>
      imports.find(
        (one) =>
          (one === 'pg' && !name.startsWith('lib/postgres/')) ||
          (one === 'pg-boss' && !name.startsWith('src/jobs/postgres/')),
      ),
    tricks: {
      'src/jobs/postgres/a.ts': "import type { Pool } from 'pg';",
      'src/jobs/b.ts': "const { PgBoss } = await import('pg-boss');",
    },
  },
  {
    name: 'outside of their folders only the files that put stores together name SQLite or PostgreSQL',
    about: /^(lib|src)\/(?!(.*\/)?(sqlite|postgres)\/)/,
    complaint: ({ name, imports }) =>
      namesStores.has(name) ? undefined : imports.find((one) => /(^|\/)(sqlite|postgres)\//.test(one)),
    tricks: {
      'src/config/c.ts': "import { Postgres } from '../../lib/postgres/postgres.js';",
      'src/doctor/a.ts': "import { damageOf } from '../../lib/sqlite/inspect-sqlite.js';",
      'src/accounts/b.ts': "export { Users } from './sqlite/users.js';",
    },
  },
  {
    name: 'SQL names tables of its own module alone',
    about: /\/(sqlite|postgres)\//,
    complaint({ name, text }, all) {
      const owners = tablesOf(all);
      const own = moduleOf(name);
      const named = [
        ...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ON)\s+(?:OR \w+ )?(?:main\.)?(\w+)/g),
      ].map(([, table = '']) => table);
      const foreign = named.find((table) => owners.has(table) && owners.get(table) !== own);
      return foreign === undefined ? undefined : `${foreign} is a table of ${owners.get(foreign)}`;
    },
    tricks: {
      'src/jobs/sqlite/a.ts': "db.prepare('SELECT 1 FROM jobs JOIN usage ON usage.job_id = jobs.id');",
      'src/jobs/postgres/a.ts': "queries.rows('SELECT 1 FROM jobs JOIN usage ON usage.job_id = jobs.id');",
    },
  },
  {
    name: 'balances are written in one place',
    about: /^(lib|src)\//,
    complaint: ({ name, text }) =>
      /^lib\/ledger\/(sqlite|postgres)\/(balances|ledger-schema)\.ts$/.test(name)
        ? undefined
        : /\b(UPDATE|INTO)\s+balances\b/i.exec(text)?.[0],
    tricks: { 'src/accounts/sqlite/a.ts': "db.exec('update balances SET balance = 1');" },
  },
  {
    name: 'no file imports itself by way of others',
    about: /^(lib|src)\//,
    complaint: circleThrough,
    tricks: { 'lib/call/price.ts': "import type { Answer } from './call.js';" },
  },
  {
    name: 'the platforms are written once',
    about: /^(lib|src)\//,
    complaint: ({ name, text }) =>
      /^lib\/platforms\//.test(name) ||
      !['maps', 'pronetwork', 'photosocial', 'shortvideo'].every((one) =>
        new RegExp(`['"\`]${one}['"\`]`).test(text),
      )
        ? undefined
        : 'names all four',
    tricks: { 'src/cli/a.ts': "const all = ['maps', \"pronetwork\", 'photosocial', 'shortvideo'];" },
  },
  {
    name: 'files are small, and none is a drawer for everything',
    about: /^(lib|src)\//,
    complaint({ name, text }) {
      const lines = text.split('\n').length;
      if (lines > 500) return `${lines} lines`;
      return /(^|[/-])(utils?|helpers?|misc|common)\b/.exec(name)?.[0];
    },
    tricks: { 'lib/read/string-utils.ts': '', 'lib/a.ts': '\n'.repeat(500) },
  },
  {
    name: 'there is no default export and nothing left to do',
    about: /^(lib|src)\//,
    complaint: ({ text }) =>
      /^\s*export default\b|\bas default\b|^export =|\b(TODO|FIXME|XXX)\b/m.exec(text)?.[0],
    tricks: { 'lib/a.ts': 'const a = 1;\nexport { a as default };', 'lib/b.ts': '// TODO: the rest' },
  },
];

describe('the laws of the house', () => {
  for (const law of laws) {
    test(law.name, () => {
      assert.deepEqual(broken(law, sources), []);
      assert.throws(() => broken(law, []));
      for (const [name, text] of Object.entries(law.tricks)) {
        const others = sources.filter((file) => file.name !== name);
        const before = broken(law, others);
        assert.ok(
          broken(law, [...others, sourceOf(name, text)]).length > before.length,
          `${name} gets round it`,
        );
      }
    });
  }
});

describe('the map of the house', () => {
  const map = readFileSync(path.join(packageRoot(), 'ARCHITECTURE.md'), 'utf8');
  const [, tree = ''] = /<!-- begin folders -->\n```\n([\s\S]*?)```/.exec(map) ?? [];
  /** Folders that the map names, with the words about each. */
  const named = new Map(
    tree
      .split('\n')
      .map((line) => /^(\S+\/)\s+(\S.*)$/.exec(line))
      .flatMap((found) => (found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const])),
  );
  const folders = ['lib', 'src']
    .flatMap((top) =>
      readdirSync(path.join(packageRoot(), top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.relative(packageRoot(), path.join(entry.parentPath, entry.name))),
    )
    .map((name) => `${name.split(path.sep).join('/')}/`);

  test('names every folder of two levels, and says what it holds', () => {
    const shallow = folders.filter((name) => name.split('/').length <= 3);
    assert.ok(shallow.length > 10);
    assert.deepEqual(
      shallow.filter((name) => !named.has(name)),
      [],
    );
  });

  test('names no folder that is not there', () => {
    assert.ok(named.size > 10);
    assert.deepEqual(
      [...named.keys()].filter((name) => !existsSync(path.join(packageRoot(), name))),
      [],
    );
  });

  test('names only files that are there', () => {
    const files = [...map.matchAll(/`((?:lib|src|test|scripts|bin)\/[\w./-]+\.(?:tsx?|mjs|js))`/g)];
    assert.ok(files.length > 10);
    assert.deepEqual(
      files.map(([, name = '']) => name).filter((name) => !existsSync(path.join(packageRoot(), name))),
      [],
    );
  });
});
