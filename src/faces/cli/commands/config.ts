import type { Command } from 'commander';
import * as z from 'zod';
import { isFirst } from '../../../config/settings.js';
import { type ShownSetting, shownSettings } from '../../../config/shown-settings.js';
import { type Context, configOf } from '../context.js';
import { writeNote } from '../deliver.js';
import { addListOptions, outputOf } from '../output.js';
import { printable } from '../printable.js';
import { answerWriter } from '../reply.js';

const row = z.strictObject({
  setting: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});

const valueText = (value: ShownSetting['value']) => printable(String(value ?? '–'));

/** Formats the settings as they are typed. A default is shown if it is not in effect. */
function settingLines(settings: readonly ShownSetting[]): string {
  const width = Math.max(...settings.map(({ setting }) => setting.length));
  const lines = settings.map(({ setting, value, default: usual }) => {
    const other = value === usual || usual === null ? '' : `  (default ${valueText(usual)})`;
    return `${setting.padEnd(width)}  ${valueText(value)}${other}\n`;
  });
  return lines.join('');
}

/** `extract config`: shows the settings in effect, their defaults, and no secrets. */
export function defineCommand(command: Command, context: Context): void {
  command.option(
    '--all',
    'Show every setting; by default, the common ones and those that are not the default',
  );
  addListOptions(command).action(async () => {
    const reply = answerWriter(command, context, row, true);
    const output = outputOf(command.opts(), context);
    const data = shownSettings(await configOf(context), context.endpoints);
    if (output.format !== 'table' || output.fields !== null) return reply({ data });
    const isShown = ({ setting, value, default: usual }: ShownSetting) =>
      command.opts().all === true || value !== usual || isFirst({ name: setting });
    const visible = data.filter(isShown);
    await context.stdout.write(settingLines(visible));
    const more = data.length - visible.length;
    if (more > 0) await writeNote(context, output, `${more} more are at their default; --all shows them.`);
  });
}
