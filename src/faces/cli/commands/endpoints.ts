import type { Command } from 'commander';
import * as z from 'zod';
import type { Context } from '../context.js';
import { answerList } from '../reply.js';

const row = z.strictObject({
  endpoint: z.string(),
  credits: z.number(),
  summary: z.string(),
  returns: z.string(),
  cache_seconds: z.number(),
  operation: z.string(),
  parameters: z.array(z.string()),
});

/** `extract endpoints`: the table. */
export function defineCommand(command: Command, context: Context): void {
  const listed = async () => {
    const data: z.output<typeof row>[] = context.endpoints.map((endpoint) => ({
      endpoint: endpoint.path,
      credits: endpoint.credits,
      summary: endpoint.summary,
      returns: `${endpoint.returns.meta()?.id ?? 'object'}${endpoint.many ? '[]' : ''}`,
      cache_seconds: endpoint.cacheSeconds,
      operation: endpoint.operation,
      parameters: Object.keys(endpoint.params),
    }));
    return { data };
  };
  answerList(command, context, row, listed, ['endpoint', 'summary', 'credits', 'parameters']);
}
