import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import type { Terminal } from './terminal.js';

/** Lines of guides that no recipe's test types, and why. */
const leftOut: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^export /, 'settings: the terminal has those of its test'],
  [
    /^extract watch .*--every/,
    'runs on: test/files/watch and test/as-it-comes/archive.nightly.test.ts stop it',
  ],
  [/^extract serve(?: |$)|extract serve$/, 'runs on: openService starts it'],
  [/^EXTRACT_HOME=/, 'writes into a folder of the system: test/files/backup restores into one of its own'],
  [/^curl -sS /, 'a sample of the documentation: test/faces/server/samples.slow.test.ts'],
  [/^(?:npm|npx|helm|node) /, 'installs, or runs a checkout: test/install does so'],
  [
    /^createdb |^pg_dump |^extract server database import/,
    'needs PostgreSQL: database.slow.test.ts beside the commands',
  ],
];

const docs = path.join(packageRoot(), 'docs');

/** The README and the guides, as their paths from `docs/`. */
export const guides = ['../README.md', ...readdirSync(docs).filter((name) => name.endsWith('.md'))];

/** Returns the commands in the guide's shell blocks, without comments and without the excluded ones. */
export function recipesOf(guide: string): string[] {
  const text = readFileSync(path.join(docs, guide), 'utf8');
  const lines = [...text.matchAll(/^```sh.*?\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', '').trimEnd().split('\n'),
  );
  // Deduplicated: guides create the same account both in a data directory and in a database.
  return [...new Set(lines.map((line) => line.replace(/\s+#.*$/, '')))].filter(
    (line) => !leftOut.some(([words]) => words.test(line)),
  );
}

interface RecipeOptions {
  /** Replaces what differs from the guide: a server's address, or the ID of something the line created. */
  readonly adapt?: (line: string) => string;
  /** True for lines that another terminal types. */
  readonly isElsewhere?: (line: string) => boolean;
  /** Receives each line as it was typed, with what it wrote. */
  readonly onTyped?: (line: string, out: string) => void;
  /** The expected exit status of a line; 0 by default. */
  readonly statusOf?: (line: string) => number;
}

/** Runs the recipes of a guide. Rejects if one fails or does not write the file it names. */
export async function typeAll(
  terminal: Terminal,
  guide: string,
  { adapt = (line) => line, isElsewhere = () => false, onTyped, statusOf = () => 0 }: RecipeOptions = {},
): Promise<void> {
  for (const recipe of recipesOf(guide).filter((line) => !isElsewhere(line))) {
    const line = adapt(recipe);
    const { out, err } = await terminal.type(line, statusOf(recipe));
    onTyped?.(line, out);
    const file = /(?: -o|^[^'"]* >|--plot|extract server backup|convert \S+) (\S+)/.exec(line)?.[1];
    // Nothing is here of an object in a bucket, a chain has a file for each stage, a watch one for each run.
    const isNoFile = file === undefined || /^s3:|^\/dev/.test(file) || /--then|watch|--dry-run/.test(line);
    if (isNoFile) assert.notEqual(out + err, '', line);
    else assert.ok(existsSync(path.join(terminal.folder, file)), line);
  }
}
