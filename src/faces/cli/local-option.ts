import type { Command } from 'commander';
import { type Context, configOf } from './context.js';
import { UsageError } from './usage-error.js';

/** Adds `--local`: use this machine's data directory, even after `extract login`. */
export function addLocalOption(command: Command): Command {
  return command.option('--local', 'Use the data directory of this machine even when logged in to a server');
}

/** Returns the server that commands use, for links to its pages; undefined with `--local`, or if none is configured. */
export async function chosenServer(context: Context, command: Command): Promise<string | undefined> {
  return command.opts().local === true ? undefined : (await configOf(context)).baseUrl;
}

/** Rejects commands that only the operator may run, on the machine with the server's data directory. */
export async function requireLocal(context: Context, command: Command, what: string): Promise<void> {
  const server = await chosenServer(context, command);
  if (server === undefined) return;
  const dashboard = `${new URL(server).origin}/dashboard`;
  throw new UsageError(
    'conflicting_parameters',
    `You are logged in to ${server}, and ${what} there on its dashboard: ${dashboard}.`,
    'With --local the command works on the data directory of this machine; extract logout leaves the server.',
  );
}
