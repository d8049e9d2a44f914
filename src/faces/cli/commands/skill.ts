import type { Command } from 'commander';
import { type Context, configOf } from '../context.js';
import { replaceFile, textOfFile } from '../replace-file.js';
import { type SkillClient, skillClients } from '../skill/skill-clients.js';
import { skillText } from '../skill/skill-text.js';
import { UsageError, unknownWord } from '../usage-error.js';

const afterword = `
Examples:
  extract mcp skill
  extract mcp skill claude-code --write`;

function clientOf(id: string): SkillClient {
  const client = skillClients.find((one) => one.id === id);
  if (client !== undefined) return client;
  throw unknownWord(
    'client',
    id,
    skillClients.map((one) => one.id),
  );
}

async function write({ stderr }: Context, { name, file: fileOf }: SkillClient, text: string): Promise<void> {
  const file = fileOf();
  const before = await textOfFile(file);
  if (before === text) {
    await stderr.write(`${name}: ${file} is up to date.\n`);
    return;
  }
  const backup = await replaceFile(file, text, before !== null);
  await stderr.write(`${name}: wrote ${file}.\n`);
  if (backup !== null) await stderr.write(`Backup of the original: ${backup}\n`);
}

/** `extract mcp skill`: prints the skill for assistants; `--write` installs it. */
export function defineCommand(command: Command, context: Context): void {
  command
    .argument('[client]', `one of ${skillClients.map(({ id }) => id).join(', ')}`)
    .option('--write', 'Write the skill to the client’s folder, and keep a backup of the file')
    .addHelpText('after', afterword);
  command.action(async (id: string | undefined) => {
    const client = id === undefined ? undefined : clientOf(id);
    const text = skillText((await configOf(context)).baseUrl !== undefined);
    if (command.opts<{ readonly write?: boolean }>().write === true) {
      if (client === undefined) {
        throw new UsageError(
          'missing_parameter',
          'Name the client whose skill to write.',
          'For example: extract mcp skill claude-code --write',
        );
      }
      return write(context, client, text);
    }
    for (const { name, file } of client === undefined ? skillClients : [client])
      await context.stderr.write(`${name}: ${file()}\n`);
    await context.stdout.write(text);
  });
}
