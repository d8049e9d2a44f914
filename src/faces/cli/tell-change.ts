import { readDatabaseConfig } from '../../config/database-config.js';
import type { Context } from './context.js';
import { printable } from './printable.js';

/** The data directory that a command changed, in words. */
export const directoryText = (home: string) => `the data directory ${home}`;

/** A database in words, without its password. */
export function databaseText(url: string): string {
  const { host, pathname } = new URL(url);
  return `the database ${host}${pathname}`;
}

/** Where the state of servers is: in the database that is set, or in the directory. */
export function stateText(home: string): string {
  const { database } = readDatabaseConfig();
  return database === undefined ? directoryText(home) : databaseText(database.url);
}

/** Says what a command has changed: it is the mistake of an operator to change another directory than the server's. */
export const tellChange = (context: Context, where: string): Promise<void> =>
  tellBeside(context, `Changed ${where}.`);

/** Says a sentence beside the answer of a command. */
export async function tellBeside({ stderr }: Context, text: string): Promise<void> {
  const message = printable(text);
  // Programs read lines of JSON there, as those of warnings.
  const line = stderr.isTTY ? message : JSON.stringify({ note: { message } });
  await stderr.write(`${line}\n`).catch(() => undefined);
}
