import path from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { readDatabaseConfig } from '../../../config/database-config.js';
import { commandOperator } from '../command-operator.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { addListOptions } from '../output.js';
import { answerWriter } from '../reply.js';
import { databaseText, tellChange } from '../tell-change.js';

const row = z.strictObject({
  tables: z.string(),
  version: z.int(),
  wanted: z.int(),
  state: z.enum(['current', 'migrated', 'to be migrated']),
});

function database() {
  const config = readDatabaseConfig().database;
  if (config !== undefined) return config;
  throw new ExtractError(
    'invalid_parameter',
    'No database is set. Set EXTRACT_DATABASE_URL, such as postgres://user:password@db.example.com/extract.',
  );
}

interface Tables {
  readonly name: string;
  readonly version: number;
  readonly expected: number;
}

function stateRow({ name, version, expected }: Tables, old: 'migrated' | 'to be migrated') {
  const state = version === expected ? 'current' : old;
  return { tables: name, version: state === 'migrated' ? expected : version, wanted: expected, state };
}

const moved = z.strictObject({ table: z.string(), rows: z.int() });

/** `extract server database migrate|check|import`: manages the PostgreSQL tables. */
export function defineCommand(command: Command, context: Context): void {
  const migrate = command.command('migrate').description('Migrate the tables to this version');
  addListOptions(migrate).action(async () => {
    const reply = answerWriter(migrate, context, row, true);
    const { migrateTables } = await import('../../../compose/database-tables.js');
    const before = await migrateTables(database(), systemClock);
    await reply({ data: before.map((one) => stateRow(one, 'migrated')) });
    const isChanged = before.some(({ version, expected: current }) => version !== current);
    if (isChanged) await tellChange(context, databaseText(database().url));
  });

  const check = command
    .command('check')
    .description('Check that the database is usable and its tables match this version');
  addListOptions(check).action(async () => {
    const reply = answerWriter(check, context, row, true);
    const { tableStates } = await import('../../../compose/database-tables.js');
    const schemas = await tableStates(database(), systemClock);
    await reply({ data: schemas.map((one) => stateRow(one, 'to be migrated')) });
    if (schemas.some(({ version, expected: current }) => version < current)) throw new ExitStatusError(1);
  });

  const move = command
    .command('import')
    .description('Import a data directory into the database, which must be empty')
    .requiredOption('--home <dir>', 'the data directory; it is not changed');
  addListOptions(move).action(async () => {
    const reply = answerWriter(move, context, moved, true);
    const { importDirectory } = await import('../../../compose/import-directory.js');
    const home = path.resolve(move.opts().home);
    const config = database();
    const who = { operator: commandOperator(), clock: systemClock, signal: context.signal };
    await reply({ data: await importDirectory({ home, config, ...who }) });
  });
}
