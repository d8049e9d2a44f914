import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { platforms } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const root = packageRoot();

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

/** Returns a file's text without comments, with imported constants inlined. */
function sqlOf({ text }: Source): string {
  const texts = new Map(
    [...text.matchAll(/\bconst (\w+) = (['`])([^'`$]*)\2/g)].map(([, name = '', , value = '']) => [
      name,
      value,
    ]),
  );
  return text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/\$\{(\w+)\}/g, (match, name) => texts.get(name) ?? match)
    .replace(/'\s*\+\s*(\w+)\b/g, (match, name) => texts.get(name) ?? match)
    .replace(/'\s*\+\s*'/g, '');
}

/** The modules that create each table, by its current and earlier names. */
const owners = new Map<string, Set<string>>();
for (const file of sources) {
  for (const [, table = ''] of sqlOf(file).matchAll(
    /\b(?:CREATE\s+(?:VIRTUAL\s+|UNLOGGED\s+|\$\{\w+\}\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?|RENAME\s+TO\s+)(?!IF\b)(?:(?:main|public)\.)?["[]?(\w+)/g,
  ))
    owners.set(table, (owners.get(table) ?? new Set()).add(moduleOf(file.name)));
}

/** Every kind of file, and the database, has its own table of versions. */
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
  test('names only tables of its own module', () => {
    assert.ok(owners.size > 20);
    assert.deepEqual(broken(foreignTable), []);
  });

  test('writes balances in one place', () => {
    assert.deepEqual(broken(writtenBalance), []);
  });
});

describe('rules that no tool checks', () => {
  const laws: readonly (readonly [name: string, about: RegExp, fault: RegExp])[] = [
    [
      'reading knows no clock and no chance',
      /^lib\/(read|platforms)\//,
      /\bDate\.now\b|\bnew Date(\(\)|;)|\bMath\.random\b/,
    ],
    ['nothing is left to do', /^(lib|src)\//, /\b(TODO|FIXME|XXX)\b|@todo\b/],
  ];
  for (const [name, about, fault] of laws) {
    test(name, () => {
      assert.deepEqual(
        broken(({ name, text }) => (about.test(name) ? fault.exec(text)?.[0] : undefined)),
        [],
      );
    });
  }

  test('each PostgreSQL lock has a unique number', () => {
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
  });
});
