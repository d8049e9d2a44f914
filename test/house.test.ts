import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { platforms } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const root = packageRoot();
const arrows: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } = createRequire(import.meta.url)(
  '../.dependency-cruiser.cjs',
);

/** A file for each arrow that runs the wrong way: the rule must name it. */
const wrongArrows: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'no circles': ['lib/circle.ts', "export type { Circle } from './way-back.js';"],
  found: ['lib/lost.ts', "import { gone } from './gone.js';"],
  library: ['lib/late.ts', "const later = () => import('../src/compose/serve.js');"],
  'one platform': ['lib/platforms/maps/a.ts', "export { site } from '../shortvideo/site.js';"],
  'pure reading': ['lib/platforms/maps/b.ts', "import { readFile } from 'node:fs/promises';"],
  'reading stands alone': ['lib/read/c.ts', "import { Network } from '../web/network.js';"],
  'one door': ['lib/cache/d.ts', "import https from 'node:https';"],
  'who connects': ['src/service/health/e.ts', "import { request } from 'undici';"],
  'no face knows another': ['src/faces/mcp/f.ts', "type Sink = import('../cli/context.js').Sink;"],
  'faces below compose': ['src/faces/server/g.ts', "const { a } = await import('../../compose/serve.js');"],
  storeys: ['src/output/h.ts', "export * from '../faces/cli/context.js';"],
  'service takes result files': [
    'src/service/i.ts',
    "import { run } from '../files/batch-files/batch-run.js';",
  ],
  'files know no service': ['src/files/j.ts', "import type { Job } from '../service/jobs/job.js';"],
  'results below batch': [
    'src/files/result-files/k.ts',
    "import { run } from '../batch-files/batch-run.js';",
  ],
  'usage below accounts': ['src/service/usage/l.ts', "import { Accounts } from '../accounts/accounts.js';"],
  'shared ground': ['src/config/m.ts', "import { run } from '../service/jobs/job.js';"],
  'no page sees a database': ['src/faces/dashboard/n.ts', "import type { Database } from 'better-sqlite3';"],
  'stores are named once': ['src/service/o.ts', "export { SqliteJobs } from './jobs/sqlite/sqlite-jobs.js';"],
  'one driver of SQLite': ['src/service/jobs/sqlite/p.ts', "import Database from 'better-sqlite3';"],
  'one driver of PostgreSQL': ['src/service/jobs/postgres/q.ts', "import type { Pool } from 'pg';"],
  'one engine of jobs': ['src/service/jobs/r.ts', "const { PgBoss } = await import('pg-boss');"],
  'no drawers': ['lib/s.ts', "import { trim } from './read/string-utils.js';"],
};

const targets = `lib/way-back.ts lib/platforms/shortvideo/site.ts lib/web/network.ts lib/read/string-utils.ts
  src/compose/serve.ts src/faces/cli/context.ts src/files/batch-files/batch-run.ts src/service/jobs/job.ts
  src/service/accounts/accounts.ts src/service/jobs/sqlite/sqlite-jobs.ts`.split(/\s+/);

/** Files that Biome finds fault with, by its rule. */
const wrongFiles: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['noProcessEnv', 'src/service/limits/a.ts', 'export const home = process.env.HOME;'],
  [
    'noRestrictedImports',
    'lib/call/b.ts',
    "import { env } from 'node:process';\nexport const { HOME } = env;",
  ],
  ['noRestrictedGlobals', 'src/files/media/c.ts', "await fetch('https://pages.example/a.jpg');"],
  ['noRestrictedGlobals', 'lib/call/d.ts', "await fetch('https://pages.example/');"],
  ['noRestrictedGlobals', 'lib/read/e.ts', 'setImmediate(() => undefined);'],
  ['noRestrictedGlobals', 'lib/platforms/maps/f.ts', 'export const id = crypto.randomUUID();'],
  ['noExcessiveLinesPerFile', 'lib/g.ts', 'export const g = 1;\n// more\n'.repeat(251)],
];

interface BiomeReport {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly location: { readonly path: string };
  }[];
}

describe('the rules of the tools', () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'extract-house-')));
  const plant = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  before(() => {
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    plant('biome.json', readFileSync(path.join(root, 'biome.json'), 'utf8'));
    for (const file of targets) plant(file, 'export {};');
    plant('lib/way-back.ts', "export * from './circle.js';");
    for (const [file, text] of Object.values(wrongArrows)) plant(file, text);
    for (const [, file, text] of wrongFiles) plant(file, text);
  });
  after(() => rmSync(folder, { recursive: true }));

  test('each arrow finds a file that runs the wrong way', async () => {
    const { output } = await cruise(['lib', 'src'], {
      ...arrows.options,
      baseDir: folder,
      preserveSymlinks: true,
      validate: true,
      ruleSet: { forbidden: arrows.forbidden },
    });
    const found = (output as ICruiseResult).summary.violations.map((one) => `${one.rule.name}: ${one.from}`);
    assert.deepEqual(
      arrows.forbidden
        .map(({ name = '' }) => `${name}: ${wrongArrows[name]?.[0]}`)
        .filter((wanted) => !found.includes(wanted)),
      [],
    );
  });

  test('each rule of Biome finds a file that breaks it', () => {
    const biome = path.join(root, 'node_modules/.bin/biome');
    const { stdout } = spawnSync(
      biome,
      ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    const { diagnostics }: BiomeReport = JSON.parse(stdout);
    const found = diagnostics.map(({ category, location }) => `${category}: ${location.path}`);
    assert.deepEqual(
      wrongFiles
        .map(([rule, file]) => `lint/style/${rule}: ${file}`)
        .filter((wanted) => !found.includes(wanted)),
      [],
    );
  });
});

interface Source {
  readonly name: string;
  readonly text: string;
}

const sources = ['lib', 'src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name): Source => ({ name, text: readFileSync(path.join(root, name), 'utf8') })),
);

/** Files that break a law, with what is wrong; a law that finds no file to look at fails. */
function broken(law: (file: Source) => string | undefined, all: readonly Source[] = sources): string[] {
  assert.ok(all.length > 100);
  return all.flatMap((file) => {
    const complaint = law(file);
    return complaint === undefined ? [] : [`${file.name}: ${complaint}`];
  });
}

/** The module that a file belongs to: accounts, jobs, the ledger and so on. */
const moduleOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('src/') ? 3 : 2)
    .join('/');

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

/** The modules that make each table, under its name of today and those of before. */
const owners = new Map<string, Set<string>>();
for (const file of sources) {
  for (const [, table = ''] of sqlOf(file).matchAll(
    /\b(?:CREATE\s+(?:VIRTUAL\s+|UNLOGGED\s+|\$\{\w+\}\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?|RENAME\s+TO\s+)(?!IF\b)(?:(?:main|public)\.)?["[]?(\w+)/g,
  ))
    owners.set(table, (owners.get(table) ?? new Set()).add(moduleOf(file.name)));
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

function foreignTable(file: Source): string | undefined {
  for (const table of tablesNamed(file)) {
    const modules = owners.get(table);
    if (modules === undefined || madeByMany.has(table)) continue;
    if (modules.size > 1 || !modules.has(moduleOf(file.name)))
      return `${table} is of ${[...modules].join(', ')}`;
  }
  return undefined;
}

function writtenBalance(file: Source): string | undefined {
  if (/^lib\/ledger\/(balances|ledger-schema)\.ts$/.test(file.name)) return undefined;
  const writing =
    /\b(UPDATE|INTO|DELETE\s+FROM|COPY|TRUNCATE|TABLE)\s+(ONLY\s+|OR\s+\w+\s+)?((main|public)\.)?["[]?balances\b/i;
  return writing.exec(sqlOf(file))?.[0];
}

describe('the SQL of the house', () => {
  test('names tables of its own module alone', () => {
    assert.ok(owners.size > 20);
    assert.deepEqual(broken(foreignTable), []);
    for (const text of [
      "queries.rows('SELECT 1 FROM jobs JOIN usage ON usage.job_id = jobs.id');",
      "queries.run('UPDATE ONLY public.balances SET credits = 1');",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the law reads it
      "const table = 'usage';\ndb.prepare(`SELECT 1 FROM ${table}`);",
      "queries.run('CREATE TABLE notes (account text REFERENCES users (account))');",
    ])
      assert.ok(foreignTable({ name: 'src/service/jobs/postgres/a.ts', text }), text);
  });

  test('writes balances in one place', () => {
    assert.deepEqual(broken(writtenBalance), []);
    for (const text of [
      "db.exec('update balances SET balance = 1');",
      'queries.run(`DELETE\n FROM balances`);',
      "queries.run('INSERT INTO balances VALUES (1)');",
    ])
      assert.ok(writtenBalance({ name: 'src/service/accounts/a.ts', text }), text);
  });
});

describe('what no tool holds', () => {
  const laws: readonly (readonly [name: string, about: RegExp, fault: RegExp, trick: string])[] = [
    [
      'reading knows no clock and no chance',
      /^lib\/(read|platforms)\//,
      /\bDate\.now\b|\bnew Date(\(\)|;)|\bMath\.random\b/,
      'const now = Date.now;',
    ],
    ['nothing is left to do', /^(lib|src)\//, /\b(TODO|FIXME|XXX)\b|@todo\b/, '// TODO: the rest'],
  ];
  for (const [name, about, fault, trick] of laws) {
    test(name, () => {
      assert.deepEqual(
        broken(({ name, text }) => (about.test(name) ? fault.exec(text)?.[0] : undefined)),
        [],
      );
      assert.match(trick, fault);
    });
  }

  test('each lock of PostgreSQL has a number of its own', () => {
    const declared = /\bconst \w*[lL]ock(?:Id|Class|s) = ([\d_]+);/g;
    const numbers = sources.flatMap(({ text }) => [...text.matchAll(declared)].map(([, one]) => one));
    assert.ok(numbers.length > 7);
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });

  test('the platforms are written once', () => {
    const namesAll = ({ text }: Source) =>
      platforms.every((one) => new RegExp(`['"\`\\s,|]${one}['"\`s,|:]`).test(text))
        ? 'names them all'
        : undefined;
    assert.deepEqual(
      broken((file) => (file.name.startsWith('lib/platforms') ? undefined : namesAll(file))),
      [],
    );
    assert.ok(namesAll({ name: 'a.ts', text: "['maps', 'pronetwork', 'photosocial', 'shortvideo']" }));
  });
});

describe('the map of the house', () => {
  const map = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
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
      readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    )
    .map((name) => `${name.split(path.sep).join('/')}/`);

  test('names every folder of the storeys, and says what it holds', () => {
    const shallow = folders.filter((name) => name.split('/').length <= (name.startsWith('src/') ? 4 : 3));
    assert.ok(shallow.length > 10);
    assert.deepEqual(
      shallow.filter((name) => !named.has(name)),
      [],
    );
  });

  test('names no folder that is not there', () => {
    assert.ok(named.size > 10);
    assert.deepEqual(
      [...named.keys()].filter((name) => !existsSync(path.join(root, name))),
      [],
    );
  });

  test('names the capabilities that have tests without settings', () => {
    const [, names = ''] = /\*\*As it comes\.\*\* Each capability \(([^)]+)\)/.exec(map) ?? [];
    const tests = readdirSync(path.join(root, 'test/as-it-comes'));
    assert.deepEqual(
      names.split(', ').filter((name) => !tests.includes(`${name}.slow.test.ts`)),
      [],
    );
    const settings = tests.flatMap((name) =>
      [...readFileSync(path.join(root, 'test/as-it-comes', name), 'utf8').matchAll(/EXTRACT_\w+/g)].map(
        String,
      ),
    );
    assert.deepEqual(settings, ['EXTRACT_OPERATOR_EMAIL']);
  });

  test('names only files that are there', () => {
    const files = [...map.matchAll(/`((?:lib|src|test|scripts|bin)\/[\w./-]+\.(?:tsx?|mjs|js))`/g)];
    assert.ok(files.length > 10);
    assert.deepEqual(
      files.map(([, name = '']) => name).filter((name) => !existsSync(path.join(root, name))),
      [],
    );
  });
});
