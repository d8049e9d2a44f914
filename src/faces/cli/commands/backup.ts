import path from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { readDatabaseConfig } from '../../../config/database-config.js';
import { type Context, configOf } from '../context.js';
import { noteInDirectory } from '../note-in-directory.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const reportSchema = z.strictObject({
  file: z.string(),
  home: z.string(),
  bytes: z.number(),
  files: z.number(),
  made_at: z.string(),
});

/**
 * Throws `invalid_parameter` if servers store their state in a database, which a copy of the directory would not
 * include.
 */
export function requireDirectory(tool: string, example: string): void {
  if (readDatabaseConfig().database === undefined) return;
  throw new ExtractError(
    'invalid_parameter',
    `The state of servers is in the database that EXTRACT_DATABASE_URL names, which ${tool} of PostgreSQL copies: ${example}. Unset it to handle the data directory.`,
  );
}

/** `extract server backup FILE`: writes the data directory to one file, even while a server is running. */
export function defineCommand(command: Command, context: Context): void {
  command
    .argument('<file>', 'where to write the backup, such as extract-2026-11-22.tar.gz')
    .option('--overwrite', 'replace the file if it exists');
  addOutputOptions(command).action(async (name: string) => {
    const reply = answerWriter(command, context, reportSchema, false);
    requireDirectory('pg_dump', 'pg_dump --format=custom --file=extract.dump "$EXTRACT_DATABASE_URL"');
    const file = path.resolve(name);
    const { checkReplaceable } = await import('../replaceable-file.js');
    await checkReplaceable(file, command.opts().overwrite === true);
    const { backup } = await import('../../../files/backup/backup.js');
    const { home } = await configOf(context);
    const report = await backup(home, file, systemClock, context.signal);
    const details = { file: path.basename(file), bytes: report.bytes };
    await noteInDirectory(home, { act: 'data.backup', details });
    await reply({ data: { file, home, ...report } });
  });
}
