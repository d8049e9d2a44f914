import type { Command } from 'commander';
import type * as z from 'zod';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import type { ApiResponse } from '../../../../lib/remote/call-api.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';
import { answerList, answerObject } from '../reply.js';
import { withServer } from './job-api.js';

/** Calls the server with the command's arguments, in order. */
type Ask = (client: ApiClient, ...words: string[]) => Promise<ApiResponse>;

interface ObjectCommand {
  readonly schema: z.ZodType;
  readonly args: readonly (readonly [name: string, meaning: string])[];
  /** `post` for a change. */
  readonly method?: 'get' | 'post';
  pathOf(...words: string[]): string;
  /** What follows in the path. */
  readonly rest?: string;
}

/** Adds a command that calls the server and shows the object it returns. */
export function addObjectCommand(
  group: Command,
  context: Context,
  [name, description]: readonly [name: string, description: string],
  { schema, args, method = 'get', pathOf, rest = '' }: ObjectCommand,
): void {
  const command = group.command(name).description(description);
  for (const one of args) command.argument(...one);
  answerObject(command, context, schema, (...words: string[]) => {
    const path = `${pathOf(...words.slice(0, args.length))}${rest}`;
    return withServer(context, (client) => client[method](path, {}, context.signal));
  });
}

/** Makes a command call the server and show the list it returns. */
export const showList = (command: Command, context: Context, schema: z.ZodType, ask: Ask) =>
  answerList(command, context, schema, (...words: string[]) =>
    withServer(context, (client) => ask(client, ...words)),
  );

/** Like `showList`, for pages, such as “Jobs a page: 1 to 100”. `queryOf` adds filters. */
export function showPages(
  command: Command,
  context: Context,
  schema: z.ZodType,
  {
    items,
    most = 100,
    limit = '20',
  }: { readonly items: string; readonly most?: number; readonly limit?: string },
  pathOf: (...words: string[]) => string,
  queryOf: (options: Options) => Readonly<Record<string, string>> = () => ({}),
): void {
  command
    .option('--limit <number>', `${items} a page: 1 to ${most}`, limit)
    .option('--cursor <cursor>', '`meta.next_cursor` of the previous page');
  showList(command, context, schema, (client, ...words) => {
    const options = command.opts<Options>();
    const cursor = options.cursor === undefined ? {} : { cursor: String(options.cursor) };
    const query = { limit: String(options.limit), ...cursor, ...queryOf(options) };
    return client.get(pathOf(...words), query, context.signal);
  });
}
