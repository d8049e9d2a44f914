import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { platforms } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { type Source, sourceOf } from './support/source-file.js';

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

const knownStems = new WeakMap<readonly Source[], ReadonlyMap<string, Source>>();

/** Files by their name without ending. */
function stemsOf(all: readonly Source[]): ReadonlyMap<string, Source> {
  const known = knownStems.get(all) ?? new Map(all.map((file) => [stem(file.name), file]));
  knownStems.set(all, known);
  return known;
}

/** The modules that each module reaches by imports of its own project. */
function circleThrough({ name }: Source, all: readonly Source[]): string | undefined {
  const byStem = stemsOf(all);
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

/** The text of a file without its comments, and with the texts that it names in place of their names. */
function sqlOf({ text }: Source): string {
  const named = new Map(
    [...text.matchAll(/\bconst (\w+) = (['`])([^'`$]*)\2/g)].map(([, name = '', , value = '']) => [
      name,
      value,
    ]),
  );
  return text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/\$\{(\w+)\}/g, (whole, name) => named.get(name) ?? whole)
    .replace(/'\s*\+\s*(\w+)\b/g, (whole, name) => named.get(name) ?? whole)
    .replace(/'\s*\+\s*'/g, '');
}

const knownTables = new WeakMap<readonly Source[], ReadonlyMap<string, ReadonlySet<string>>>();

/** The modules that make each table, under its name of today and those of before. */
function tablesOf(all: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = knownTables.get(all);
  if (known !== undefined) return known;
  const owners = new Map<string, Set<string>>();
  for (const file of all) {
    if (!/\/(sqlite|postgres)\//.test(file.name)) continue;
    for (const [, table = ''] of sqlOf(file).matchAll(
      /\b(?:CREATE\s+(?:VIRTUAL\s+|UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?|RENAME\s+TO\s+)(?!IF\b)(?:(?:main|public)\.)?["[]?(\w+)/gi,
    )) {
      owners.set(table, (owners.get(table) ?? new Set()).add(moduleOf(file.name)));
    }
  }
  knownTables.set(all, owners);
  return owners;
}

/** Each kind of file, and the database, has a table of versions of its own. */
const madeByMany: ReadonlySet<string> = new Set(['schema_versions']);

/** Tables that SQL names. Outside of the folders of stores only keywords in capitals count: the others are words. */
function tablesNamed(file: Source): string[] {
  const words =
    /\b(?:(?:FROM|JOIN)\b\s*\(?\s*|(?:INTO|UPDATE|TABLE|ON|USING|REFERENCES)\b\s*)(?:ONLY\s+)?(?:OR\s+\w+\s+)?((?:(?:main|public)\.)?["[]?\w+\b"?(?:(?:\s+AS)?(?:\s+\w+)?\s*,\s*"?\w+)*)/;
  const flags = /\/(sqlite|postgres)\//.test(file.name) ? 'gi' : 'g';
  return [...sqlOf(file).matchAll(new RegExp(words, flags))].flatMap(([, tables = '']) =>
    tables
      .split(',')
      .map((one) => /(\w+)\W*(?:\s(?:AS\s+)?\w+)?\s*$/i.exec(one.trim().split(/\s/)[0] ?? '')?.[1] ?? ''),
  );
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

/** Files that hand on what may be done with files of stores: `src/store-files.ts` is nothing else. */
const handsOnStores: ReadonlySet<string> = new Set(['src/store-files.ts']);

/** Files that ask Node for a package's place or version: neither loads what the other laws are about. */
const asksNode: ReadonlySet<string> = new Set([
  'lib/runtime/require-package.ts',
  'src/jobs/postgres/engine-schema.ts',
]);

/** Files outside of the server that speak HTTP, or name an address. */
const speaksHttp: ReadonlySet<string> = new Set([
  'src/serve.ts',
  // Takes the webhooks that it is sent.
  'src/cli/jobs/listen.ts',
  // Serves the tools over HTTP, within the server.
  'src/mcp/served-host.ts',
  // Parse addresses alone.
  'src/accounts/sign-in/network-of.ts',
  'src/config/server-config.ts',
  'src/config/check-settings.ts',
]);

const map = readFileSync(path.join(packageRoot(), 'ARCHITECTURE.md'), 'utf8');

/** Small files with one importer that stay, as the map says why. */
const smallFiles: ReadonlySet<string> = new Set(
  [...(map.split('## Small files')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \| \S/gm)].map(
    ([, name = '']) => name,
  ),
);

/** A file of fewer lines is part of the only file that imports it. */
const minLines = 25;

const knownImporters = new WeakMap<readonly Source[], ReadonlyMap<string, number>>();

/** How many files import each module. */
function importersOf(all: readonly Source[]): ReadonlyMap<string, number> {
  const known = knownImporters.get(all);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  for (const { name, imports } of all) {
    for (const one of new Set(imports)) if (one !== stem(name)) made.set(one, (made.get(one) ?? 0) + 1);
  }
  knownImporters.set(all, made);
  return made;
}

const isRoot = (name: string) => /^src\/[\w-]+$/.test(name);

const _laws: readonly Law[] = [
  {
    name: 'the library never imports the programs around it',
    about: /^lib\//,
    complaint: ({ imports }) => imports.find((one) => one.startsWith('src/')),
    tricks: {
      'lib/a.ts': "const later = () => import('../src/serve.js');",
      'lib/b.ts': 'const later = () => import(`./call/../../src/serve.ts`);',
      'lib/call/c.ts': "export * from './.././../src/serve.js';",
      'lib/d.ts': "type Server = typeof import('../src/serve.js');",
      'lib/e.ts': "const worker = new URL('../src/serve.js', import.meta.url);",
    },
  },
  {
    name: 'what a file imports stands in it, in a form that these laws can read',
    about: /^(lib|src)\//,
    complaint: ({ name, imports, unread }) =>
      imports.find((one) => /^(public-extract(\/|$)|[#/]|file:)/.test(one)) ??
      (asksNode.has(name) ? undefined : unread[0]),
    tricks: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the trick itself
      'lib/a.ts': 'const later = (name: string) => import(`../src/${name}.js`);',
      'lib/b.ts': "const name = '../src/' + 'serve.js';\nawait import(name);",
      'src/jobs/c.ts':
        "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);\nload('pg');",
      'src/jobs/d.ts': "const { createRequire: from } = process.getBuiltinModule('node:module');",
      'src/jobs/e.ts': 'const ask = process.getBuiltinModule;',
      'src/cli/f.ts': "import { createExtractor } from 'public-extract';",
      'src/cli/g.ts': "const run = new Function('return import(\\'pg\\')');",
    },
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
    complaint: ({ name, imports, uses }) =>
      imports.find((one) => /^node:(?!(buffer|util|crypto)$)/.test(one)) ??
      (name.startsWith('lib/read/')
        ? imports.find(
            (one) =>
              !/^(lib\/(read|errors)\/|lib\/web\/page-source$|node:|(cheerio(\/slim)?|css-select|domhandler|htmlparser2|entities)$)/.test(
                one,
              ),
          )
        : undefined) ??
      uses.find((use) => !/^(Date\.(UTC|parse)|new Date\(…\)|Math\.(?!random$)\w+)$/.test(use)),
    tricks: {
      'lib/read/a.ts': "const { env } = globalThis['process'] ?? process;",
      'lib/read/b.ts': 'const now = Date.now;',
      'lib/read/d.ts': 'const { now } = Date;',
      'lib/read/e.ts': 'const { random } = Math;',
      'lib/read/f.ts': "await globalThis.fetch('https://pages.example/');",
      'lib/read/g.ts': 'setImmediate(() => undefined);',
      'lib/read/h.ts': "import { Network } from '../web/network.js';",
      'lib/read/i.ts': 'const now = +new Date;',
      'lib/read/j.ts': 'const id = crypto.randomUUID();',
      'lib/read/k.ts': 'const { language } = navigator;',
      'lib/platforms/maps/c.ts': "const { readFile } = await import('node:fs/promises');",
    },
  },
  {
    name: 'only configuration reads the environment',
    about: /^(lib|src)\//,
    complaint: ({ name, imports, uses }) =>
      /^(lib\/config(-\w+)?|src\/config\/[\w-]+)\.ts$/.test(name)
        ? undefined
        : (imports.find((one) => /^(node:)?process$/.test(one)) ??
          uses.find((use) => /^(process(\.(env|loadEnvFile))?|global(This)?(\.process)?)$/.test(use))),
    tricks: {
      'src/cli/a.ts': "const home = process['env'].HOME;",
      'lib/b.ts': 'const { env } = process;',
      'lib/c.ts': "import { env } from 'node:process';",
      'src/cli/d.ts': 'const here = process;\nconst home = here.env.HOME;',
      'src/cli/e.ts': 'const home = globalThis.process.env.HOME;',
      'src/cli/f.ts': "const home = Reflect.get(process, 'env');",
      'src/limits/g.ts': 'const home = process\n  ?.env.HOME;',
      'src/limits/h.ts': 'const home = global.process.env.HOME;',
      'src/limits/i.ts': "process.loadEnvFile('settings');",
    },
  },
  {
    name: 'only the web door opens connections to platforms, and the remote mode to a server',
    about: /^lib\//,
    complaint: ({ name, imports, uses }) =>
      /^lib\/(web|remote|client)\//.test(name)
        ? undefined
        : (imports.find((one) => /^(undici|(node:)?(https?|http2|net|tls|dgram))(\/|$)/.test(one)) ??
          uses.find((use) =>
            /^(fetch|WebSocket|EventSource|XMLHttpRequest|global(This)?(\.\w+)?)$/.test(use),
          )),
    tricks: {
      'lib/read/a.ts': "const net = process.getBuiltinModule('node:net');",
      'lib/call/b.ts': "await fetch('https://pages.example/');",
      'lib/call/c.ts': 'const ask = globalThis.fetch;',
      'lib/batch/d.ts': "import https from 'https';",
      'lib/cache/e.ts': "await global.fetch('https://pages.example/');",
      'lib/cache/f.ts': 'const { fetch: ask } = globalThis;',
    },
  },
  {
    name: 'of the programs, only the server and what sends to receivers of a user opens connections',
    about: /^src\//,
    complaint: ({ name, imports, uses }) =>
      /^src\/(server|jobs\/webhooks|accounts\/(mail|packs))\//.test(name) || speaksHttp.has(name)
        ? undefined
        : (imports.find((one) => /^(undici|(node:)?(https?|http2|net|tls|dgram))(\/|$)/.test(one)) ??
          uses.find((use) =>
            /^(fetch|WebSocket|EventSource|XMLHttpRequest|global(This)?(\.\w+)?)$/.test(use),
          )),
    tricks: {
      'src/health/a.ts': "import { request } from 'undici';",
      'src/media/b.ts': "await fetch('https://pages.example/a.jpg');",
      'src/weather/c.ts': "const { request } = await import('node:https');",
    },
  },
  {
    name: 'a face imports no other face: command line, server, tools and dashboard meet in the roots',
    about: /^src\/(cli|server|mcp|dashboard)\//,
    complaint: ({ name, imports }) =>
      imports.find((one) => face(`${one}/`) !== undefined && face(`${one}/`) !== face(name)),
    tricks: {
      'src/mcp/a.ts': "type Sink = import('../cli/context.js').Sink;",
      'src/dashboard/b.ts': "export { requests } from '.././server/./requests.js';",
    },
  },
  {
    name: 'server, tools and dashboard know no root, and no root hands on what a folder has',
    about: /^src\/((server|mcp|dashboard)\/|[\w-]+\.tsx?$)/,
    complaint: ({ name, imports, reexports }) =>
      face(name) === undefined
        ? reexports.find((one) => one.startsWith('src/') && one.split('/').length > 2)
        : imports.find(isRoot),
    tricks: {
      'src/serve-more.ts': "export { createDashboard } from './dashboard/dashboard.js';",
      'src/mcp/b.ts': "const { openStore } = await import('../open-store.js');",
    },
  },
  {
    name: 'what stands below the faces knows no face and no root, in whatever folder',
    about: /^src\/(?!(cli|server|mcp|dashboard)\/)[\w-]+\//,
    complaint: ({ name, imports }) =>
      imports.find(
        (one) => face(`${one}/`) !== undefined || (isRoot(one) && !/^src\/(doctor|backup)\//.test(name)),
      ),
    tricks: {
      'src/accounts/a.ts': "import type { OpenStore } from '../open-store.js';",
      'src/weather/b.ts': "import { startServer } from '../serve.js';",
      'src/output/c.ts': "export * from '../cli/context.js';",
      'src/doctor/d.ts': "import type { Sink } from '../cli/context.js';",
    },
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
      'src/output/e.ts': "export { inspectFile } from '../../lib/sqlite/inspect-sqlite.js';",
    },
  },
  {
    name: 'one file imports the driver of SQLite',
    about: /^(lib|src)\//,
    complaint: ({ name, imports }) =>
      name === 'lib/sqlite/driver.ts'
        ? undefined
        : imports.find((one) => /^(better-sqlite3|node:sqlite|sqlite3?)(\/|$)/.test(one)),
    tricks: {
      'src/jobs/sqlite/a.ts': "import type { Database } from 'better-sqlite3';",
      'src/jobs/sqlite/c.ts': "import Database from 'better-sqlite3/lib/database.js';",
      'lib/cache/b.ts': "const { DatabaseSync } = process.getBuiltinModule('node:sqlite');",
    },
  },
  {
    name: 'one folder imports the driver of PostgreSQL, and one its engine of jobs',
    about: /^(lib|src)\//,
    complaint: ({ name, imports }) =>
      imports.find(
        (one) =>
          (/^(pg|pg-pool|pg-native|pg-cursor|postgres)(\/|$)/.test(one) &&
            !name.startsWith('lib/postgres/')) ||
          (/^pg-boss(\/|$)/.test(one) && !name.startsWith('src/jobs/postgres/')),
      ),
    tricks: {
      'src/jobs/postgres/a.ts': "import type { Pool } from 'pg';",
      'src/jobs/b.ts': "const { PgBoss } = await import('pg-boss');",
      'src/jobs/postgres/c.ts': "import Client from 'pg/lib/client.js';",
      'src/jobs/d.ts': "export * from 'pg-boss/dist/index.js';",
    },
  },
  {
    name: 'outside of their folders only the files that put stores together name SQLite or PostgreSQL',
    about: /^(lib|src)\/(?!(.*\/)?(sqlite|postgres)\/)/,
    complaint: ({ name, imports, reexports }) =>
      (namesStores.has(name) ? (handsOnStores.has(name) ? [] : reexports) : imports).find((one) =>
        /(^|\/)(sqlite|postgres)\//.test(one),
      ),
    tricks: {
      'src/weather/d.ts': "import { Users } from '../accounts/./sqlite/users.js';",
      'lib/services.ts': "export { SqliteLedger } from './ledger/sqlite/sqlite-ledger.js';",
      'src/config/c.ts': "import { Postgres } from '../../lib/postgres/postgres.js';",
      'src/doctor/a.ts': "import { damageOf } from '../../lib/sqlite/inspect-sqlite.js';",
      'src/accounts/b.ts': "export { Users } from './sqlite/users.js';",
    },
  },
  {
    name: 'SQL names tables of its own module alone, and a table has one module',
    about: /^(lib|src)\//,
    complaint(file, all) {
      const owners = tablesOf(all);
      const own = moduleOf(file.name);
      for (const table of tablesNamed(file)) {
        const modules = owners.get(table);
        if (modules === undefined || madeByMany.has(table)) continue;
        if (modules.size > 1 || !modules.has(own)) return `${table} is a table of ${[...modules].join(', ')}`;
      }
      return undefined;
    },
    tricks: {
      'src/jobs/sqlite/a.ts': "db.prepare('SELECT 1 FROM jobs JOIN usage ON usage.job_id = jobs.id');",
      'src/jobs/postgres/a.ts': "queries.rows('SELECT 1 FROM jobs JOIN usage ON usage.job_id = jobs.id');",
      'src/jobs/postgres/b.ts': "queries.rows('select 1 from jobs, usage where usage.job_id = jobs.id');",
      'src/jobs/postgres/c.ts': "queries.run('UPDATE ONLY public.balances SET credits = 1');",
      'src/jobs/sqlite/d.ts': 'db.exec(\'DELETE FROM "users"\');',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the trick itself
      'src/jobs/sqlite/e.ts': "const table = 'usage';\ndb.prepare(`SELECT 1 FROM ${table}`);",
      'src/jobs/sqlite/f.ts': "db.prepare('SELECT 1 FROM ' + 'usage');",
      'src/jobs/sqlite/g.ts': 'db.prepare(\'SELECT 1 FROM("usage")\');',
      'src/jobs/sqlite/h.ts':
        "db.exec('CREATE TABLE IF NOT EXISTS usage (id TEXT)'); db.exec('DELETE FROM usage');",
      'src/jobs/postgres/i.ts':
        "queries.run('CREATE TABLE notes (account text REFERENCES users (account))');",
      'src/jobs/query.ts': "export const sql = 'SELECT 1 FROM usage';",
      'src/jobs/postgres/j.ts':
        "queries.run('CREATE TRIGGER t AFTER INSERT ON balances EXECUTE FUNCTION f()');",
    },
  },
  {
    name: 'balances are written in one place',
    about: /^(lib|src)\//,
    complaint: (file) =>
      /^lib\/ledger\/(sqlite|postgres)\/(balances|ledger-schema)\.ts$/.test(file.name)
        ? undefined
        : /\b(UPDATE|INTO|DELETE\s+FROM|COPY|TRUNCATE|TABLE)\s+(ONLY\s+|OR\s+\w+\s+)?((main|public)\.)?["[]?balances\b/i.exec(
            sqlOf(file),
          )?.[0],
    tricks: {
      'src/accounts/sqlite/a.ts': "db.exec('update balances SET balance = 1');",
      'src/accounts/sqlite/b.ts': 'db.exec(\'UPDATE OR REPLACE main."balances" SET balance = 1\');',
      'src/accounts/postgres/c.ts': 'queries.run(`DELETE\n FROM balances`);',
      'src/weather/d.ts': "queries.run('INSERT INTO balances VALUES (1)');",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the trick itself
      'src/weather/e.ts': "const table = 'balances';\nqueries.run(`UPDATE ${table} SET credits = 1`);",
      'src/weather/f.ts': "queries.run('UPDATE ' + 'balances SET credits = 1');",
    },
  },
  {
    name: 'no file imports itself by way of others',
    about: /^(lib|src)\//,
    complaint: circleThrough,
    tricks: {
      'lib/call/price.ts': "import type { Answer } from './call.js';",
      'lib/endpoint.ts': "export type { Answer } from './call/../call/call.js';",
      'lib/errors/extract-error.ts': "const later = () => import('../call/call.ts');",
    },
  },
  {
    name: 'the platforms are written once',
    about: /^(lib|src)\//,
    complaint({ name, strings }) {
      if (/^lib\/platforms\//.test(name)) return undefined;
      const words = new Set(strings.flatMap((string) => string.split(/[\s,|]+/)));
      const areWords = platforms.every((one) => words.has(one));
      // One text, whatever stands between the names.
      const isText = strings.some((string) => platforms.every((one) => string.split(/\W+/).includes(one)));
      return areWords || isText ? 'names them all' : undefined;
    },
    tricks: {
      'src/cli/a.ts': "const all = ['maps', \"pronetwork\", 'photosocial', 'shortvideo'];",
      'src/cli/b.ts': "const all = 'maps pronetwork photosocial shortvideo'.split(' ');",
      'src/cli/c.ts': 'const one = { maps: 1, pronetwork: 2, photosocial: 3, shortvideo: 4 };',
      'src/cli/e.ts': "const all = 'maps/pronetwork/photosocial/shortvideo'.split('/');",
      'src/cli/d.ts': "type Platform = 'maps' | `pronetwork` | 'photosocial' | 'shortvideo';",
    },
  },
  {
    name: 'files are small, and none is a drawer for everything',
    about: /^(lib|src)\//,
    complaint({ name, text }) {
      const lines = text.split('\n').length;
      if (lines > 500) return `${lines} lines`;
      return /(^|[/-])(utils?|helpers?|misc|common)\b/.exec(name)?.[0];
    },
    tricks: {
      'lib/read/string-utils.ts': '',
      'lib/utils/strings.ts': '',
      'src/weather/helpers.tsx': '',
      'lib/a.ts': '\n'.repeat(500),
    },
  },
  {
    name: 'no file is a fragment of the only one that imports it, but for those that the map gives a reason for',
    about: /^(lib|src)\//,
    complaint({ name, text }, all) {
      const lines = text
        .trim()
        .replace(/\n\s*\n/g, '\n\n')
        .split('\n').length;
      const isFragment = lines < minLines && importersOf(all).get(stem(name)) === 1;
      if (isFragment === smallFiles.has(name)) return undefined;
      return isFragment ? `${lines} lines with one importer` : 'is no fragment: strike it off the map';
    },
    tricks: {
      'src/watch/sqlite/sqlite-watches.ts': 'export const watches = 1;',
      // Padded by empty lines, and by importing itself.
      'src/jobs/runner/timed-call.ts': `export const call = 1;${'\n'.repeat(30)}`,
      'src/health/drift-mail.ts': "export * as mail from './drift-mail.js';",
      // On the list, and large by now.
      'src/cli/commands/cache.ts': Array.from({ length: 30 }, (_, at) => `export const a${at} = 1;`).join(
        '\n',
      ),
    },
  },
  {
    name: 'there is no default export and nothing left to do',
    about: /^(lib|src)\//,
    complaint: ({ text }) =>
      /\bexport\s+default\b|\bas\s+default\b|\bexport\s*\{[^}]*\bdefault\b[^}]*\}|\bexport\s*=|\b(TODO|FIXME|XXX)\b|@todo\b/.exec(
        text,
      )?.[0],
    tricks: {
      'lib/a.ts': 'const a = 1;\nexport { a as default };',
      'lib/b.ts': '// TODO: the rest',
      'lib/c.ts': 'const a = 1; export default a;',
      'lib/d.ts': '/** @todo the rest */',
      'lib/e.ts': "export { default } from './a.js';",
    },
  },
];

describe('the laws of the house', () => {
  for (const law of _laws) {
    test(law.name, () => {
      assert.deepEqual(broken(law, sources), []);
      assert.throws(() => broken(law, []));
      for (const [name, text] of Object.entries(law.tricks)) {
        const trick = sourceOf(name, text);
        const others = sources.filter((file) => file.name !== name);
        assert.ok(law.about.test(name) && law.complaint(trick, [...others, trick]), `${name} gets round it`);
      }
    });
  }
});

describe('the map of the house', () => {
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
