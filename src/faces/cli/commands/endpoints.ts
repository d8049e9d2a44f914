import type { Command } from 'commander';
import * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { contractPath } from '../../../../lib/platforms.js';
import { suggestBefore } from '../../../../lib/runtime/nearest-words.js';
import { routeRow, routeRows } from '../../../output/route-rows.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import { endpointLines } from '../endpoint-lines.js';
import { addListOptions, isForPeople, outputOf } from '../output.js';
import { answerWriter } from '../reply.js';
import { routeLines } from '../route-lines.js';
import { hasPrices } from '../spendable-credits.js';
import { UsageError } from '../usage-error.js';

const row = z.strictObject({
  endpoint: z.string(),
  credits: z.number(),
  summary: z.string(),
  returns: z.string(),
  cache_seconds: z.number(),
  operation: z.string(),
  parameters: z.array(z.string()),
});

const rowOf = (endpoint: Endpoint): z.output<typeof row> => ({
  endpoint: endpoint.path,
  credits: endpoint.credits,
  summary: endpoint.summary,
  returns: `${endpoint.returns.meta()?.id ?? 'object'}${endpoint.many ? '[]' : ''}`,
  cache_seconds: endpoint.cacheSeconds,
  operation: endpoint.operation,
  parameters: Object.keys(endpoint.params),
});

/** `extract endpoints [ENDPOINT]`: lists the endpoints, or the routes of one. */
export function defineCommand(command: Command, context: Context): void {
  const { endpoints } = context;
  const paths = endpoints.map(({ path }) => path);
  command.argument('[endpoint]', 'show the routes of this endpoint: the public pages it reads');
  setCompletionWords(command, paths);
  addListOptions(command).action(async (name: string | undefined) => {
    if (name === undefined) {
      const output = outputOf(command.opts(), context);
      const priced = !isForPeople(output) || (await hasPrices(context));
      const schema = priced ? row : row.omit({ credits: true });
      const columns = ['endpoint', 'summary', 'credits', 'parameters'];
      const write = answerWriter(command, context, schema, true, columns);
      const data = endpoints.map(rowOf);
      if (output.format !== 'table' || output.fields !== null) await write({ data });
      else await context.stdout.write(await endpointLines(data, context.stdout, output.color, priced));
      return;
    }
    const path = contractPath(name);
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint === undefined) {
      const message = `Unknown endpoint ${JSON.stringify(name)}.`;
      const hint = suggestBefore(path, paths, 'extract endpoints lists them.');
      throw new UsageError('invalid_parameter', message, hint);
    }
    const rows = routeRows(endpoint);
    const reply = answerWriter(command, context, routeRow, true, ['route', 'role', 'reads']);
    const { format, fields, color } = outputOf(command.opts(), context);
    if (format !== 'table' || fields !== null) await reply({ data: rows });
    else await context.stdout.write(await routeLines(rows, context.stdout, color));
  });
}
