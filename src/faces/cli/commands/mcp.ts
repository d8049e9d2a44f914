import { type Command, Option } from 'commander';
import type { ToolAccount } from '../../../compose/serve-tools.js';
import { type Context, withExtractor } from '../context.js';
import { addPlatformsOption } from '../platforms-option.js';
import { UsageError } from '../usage-error.js';
import { addMcpInstall } from './mcp-install.js';

const accounts: readonly ToolAccount[] = ['demo', 'local', 'key'];

/** `extract mcp`: serves the endpoints as tools over stdio until the client disconnects. */
export function defineCommand(command: Command, context: Context): void {
  command.addOption(
    new Option(
      '--account <which>',
      'demo: sample data; local: real pages, fetched from this machine, free; key: a server, with the configured key or login. Default: the key if there is one, otherwise demo',
    ).choices(accounts),
  );
  addPlatformsOption(command);
  command.action(async () => {
    const { stderr, settings, signal } = context;
    const { serveTools } = await import('../../../compose/serve-tools.js');
    await withExtractor(context, {}, async (extractor) => {
      const hasKey = extractor.config.apiKey !== undefined;
      const account: ToolAccount = command.opts().account ?? (hasKey ? 'key' : 'demo');
      if (account === 'key' && !hasKey) {
        throw new UsageError(
          'missing_api_key',
          'There is no API key: set EXTRACT_API_KEY, or choose another account.',
          'See extract mcp --help for the accounts.',
        );
      }
      // On a terminal nothing would seem to happen.
      if (process.stdin.isTTY)
        await stderr.write(`Waiting for a client; extract mcp install shows how to set one up.\n`);
      await serveTools({
        extractor,
        account,
        platforms: command.opts().platforms,
        stdin: process.stdin,
        stdout: process.stdout,
        signal,
        onFault(requestId, cause) {
          const stack = settings.debug && cause instanceof Error ? `\n${cause.stack}` : '';
          stderr.write(`internal_error ${requestId}${stack}\n`).catch(() => undefined);
        },
      });
    });
  });
  addMcpInstall(command, context);
}
