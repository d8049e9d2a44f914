import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadDriver } from '../../../lib/database/sqlite/driver.js';
import { isExecutable } from '../../../lib/runtime/is-executable.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { version } from '../../../lib/runtime/version.js';

/** The commit of the build; null outside a checkout or without a build. */
export function builtCommit(): string | null {
  const file = path.join(packageRoot(), 'dist', 'COMMIT');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Operating system, processor, and form of the program: `linux-x64, single executable`. */
export function platformText(): string {
  return `${process.platform}-${process.arch}${isExecutable() ? ', single executable' : ''}`;
}

/** Names the runtime: Node.js, or Bun or Deno with the Node.js version they emulate. */
function runtimeText({ node, bun, deno }: NodeJS.ProcessVersions = process.versions): string {
  if (bun !== undefined) return `Bun ${bun}, as Node.js ${node}`;
  return deno === undefined ? `Node.js ${node}` : `Deno ${deno}, as Node.js ${node}`;
}

/** Returns the version of SQLite. Rejects if its native module cannot be loaded. */
export async function sqliteVersion(load = loadDriver): Promise<string> {
  const Sqlite = await load();
  const db = new Sqlite(':memory:');
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}

/** Returns the lines that identify the program in a bug report. */
export async function versionDetails(): Promise<string> {
  const sqlite = await sqliteVersion().catch((cause: Error) => `not usable: ${cause.message}`);
  return [
    `extract ${version}`,
    `commit ${builtCommit() ?? 'unknown'}`,
    runtimeText(),
    `SQLite ${sqlite}`,
    `platform ${platformText()}`,
    '',
  ].join('\n');
}
