import { readDatabaseConfig } from '../../config/database-config.js';
import type { Context } from './context.js';
import { printable } from './printable.js';

export const directoryText = (home: string) => `the data directory ${home}`;

/** Describes a database, without its password. */
export function databaseText(url: string): string {
  const { host, pathname } = new URL(url);
  return `the database ${host}${pathname}`;
}

/** Describes where servers store their state: in the configured database, or in the directory. */
export function stateText(home: string): string {
  const { database } = readDatabaseConfig();
  return database === undefined ? directoryText(home) : databaseText(database.url);
}

/** Says what a command has changed, because operators often change a directory other than the server's. */
export const tellChange = (context: Context, where: string): Promise<void> =>
  writeNote(context, `Changed ${where}.`);

/** Writes a sentence to stderr. */
export async function writeNote({ stderr }: Context, text: string): Promise<void> {
  const message = printable(text);
  // Programs expect JSON there, as for warnings.
  const line = stderr.isTTY ? message : JSON.stringify({ note: { message } });
  await stderr.write(`${line}\n`).catch(() => undefined);
}
