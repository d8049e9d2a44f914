import { type Command, Option } from 'commander';
import type { UsageQuery } from '../../../../lib/ledger/ledger.js';
import { localAccount } from '../../../../lib/ledger/ledger.js';
import { usageRow } from '../../../../lib/ledger/usage-row.js';
import { newRequestId } from '../../../../lib/runtime/request-id.js';
import { platformDay } from '../../../../lib/web/platform-day.js';
import { requireEndpoint } from '../batch/batch-options.js';
import { type Context, withExtractor } from '../context.js';
import { wholeNumber } from '../number-arguments.js';
import { addListOptions, isForPeople, type Options, outputOf } from '../output.js';
import { answerWriter } from '../reply.js';
import { hasPrices } from '../spendable-credits.js';
import { addUsageArchive } from '../usage-archive.js';
import { UsageError } from '../usage-error.js';
import { checkSpan, utcTime } from '../utc-time.js';
import { withAccounts } from '../with-accounts.js';

const row = usageRow.omit({ duration_ms: true });

/** Columns by importance: when, which call, its outcome, cost and error; the rest if there is room. */
const columns = [
  ...['created_at', 'endpoint', 'status', 'credits_charged', 'error_code', 'cached'],
  ...['id', 'credits_refunded', 'api_key.name', 'job_id'],
];

const maxRows = 100;

function queryOf(options: Options): UsageQuery {
  const { limit: rows, cursor, from, to, endpoint } = options as Readonly<Record<string, string>>;
  return { limit: Number(rows), before: cursor, from, to, endpoint };
}

function emptyText(options: Options): string {
  const filters = ['from', 'to', 'endpoint'].filter((name) => options[name] !== undefined);
  if (options.cursor !== undefined) return 'No further calls.';
  if (filters.length === 0)
    return 'No calls yet. Each call becomes a row here; “extract endpoints” lists what can be called.';
  const flags = new Intl.ListFormat('en').format(filters.map((name) => `--${name}`));
  return `No calls match ${flags}. “extract usage” lists all calls.`;
}

function endpointOption({ endpoints }: Context): Option {
  const option = new Option('--endpoint <path>', 'Only calls of this endpoint, such as tiktok/profile');
  option.argParser((path: string) => requireEndpoint(path, endpoints).path);
  // Only for completion.
  option.argChoices = endpoints.map(({ path }) => path);
  return option;
}

/** Options that apply to the list of calls only. */
const ofCalls = ['limit', 'cursor', 'to', 'endpoint'] as const;

/**
 * `extract usage --platforms`: counts the requests to the platforms by all processes of the data directory or database,
 * newest day first.
 */
async function replyWithPlatforms(command: Command, context: Context): Promise<void> {
  const other = ofCalls.find((name) => command.getOptionValueSource(name) === 'cli');
  if (other !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `--${other} lists calls, and cannot be combined with --platforms.`,
    );
  }
  const { from = '' } = command.opts<{ from?: string }>();
  const reply = answerWriter(command, context, platformDay, true);
  // Days begin at midnight UTC, as in the counts.
  const data = await withAccounts(context, (_, { pace }) => pace.listDays(from.slice(0, 10)));
  const since = from === '' ? 'yet' : `since ${from.slice(0, 10)}`;
  await reply({ data, empty: `No requests to platforms ${since}.` });
}

/** `extract usage`: lists the calls of this machine's account, newest first. */
export function defineCommand(command: Command, context: Context): void {
  command
    .option('--limit <number>', `Rows per page: 1 to ${maxRows}`, wholeNumber(1, maxRows), 20)
    .option('--cursor <cursor>', '`meta.next_cursor` of the previous page')
    .option('--from <time>', 'Calls since this day or time', utcTime)
    .option('--to <time>', 'Calls before this day or time', utcTime)
    .addOption(endpointOption(context));
  command.option('--platforms', 'Requests to each platform by day, with refusals, bytes and gaps');
  addListOptions(command).action(async () => {
    if (command.opts().platforms === true) {
      await replyWithPlatforms(command, context);
      return;
    }
    checkSpan(command.opts());
    const priced = await hasPrices(context);
    const isBare = !priced && isForPeople(outputOf(command.opts(), context));
    const rowSchema = isBare ? row.omit({ credits_charged: true, credits_refunded: true }) : row;
    const reply = answerWriter(command, context, rowSchema, true, columns);
    const answer = await withExtractor(context, {}, async (extractor) => {
      const ledger = await extractor.ledger();
      const { rows, next } = await ledger.usage(localAccount, queryOf(command.opts()));
      const { credits } = await ledger.balance(localAccount);
      return {
        data: rows,
        empty: emptyText(command.opts()),
        meta: { request_id: newRequestId(), credits_remaining: credits, next_cursor: next },
      };
    });
    await reply(answer);
  });
  addUsageArchive(command, context);
}
