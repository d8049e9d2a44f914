import path from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { type Context, configOf } from '../context.js';
import { noteInDirectory } from '../note-in-directory.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';
import { directoryText, tellChange } from '../tell-change.js';
import { requireDirectory } from './backup.js';

const restored = z.strictObject({
  file: z.string(),
  home: z.string(),
  version: z.string(),
  made_at: z.string(),
  files: z.number(),
  restored: z.boolean(),
});

/** `extract server restore FILE`: restores a backup, or checks it. */
export function defineCommand(command: Command, context: Context): void {
  command
    .argument('<file>', 'a backup that `extract server backup` wrote')
    .option('--check', 'only check that the backup is complete and its balances add up');
  addOutputOptions(command).action(async (name: string) => {
    const reply = answerWriter(command, context, restored, false);
    requireDirectory('pg_restore', 'pg_restore --dbname="$EXTRACT_DATABASE_URL" extract.dump');
    const file = path.resolve(name);
    const { restore } = await import('../../../files/backup/restore.js');
    const { home } = await configOf(context);
    const check = command.opts().check === true;
    const report = await restore(file, home, { check, signal: context.signal });
    if (!check) {
      const details = { file: path.basename(file), made_at: report.made_at, version: report.version };
      await noteInDirectory(home, { act: 'data.restore', details });
    }
    await reply({ data: { file, home, ...report } });
    if (!check) await tellChange(context, directoryText(home));
  });
}
