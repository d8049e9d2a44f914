import * as z from 'zod';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Json } from '../read/json.js';
import type { ReadContext, ReadResult } from '../routes/reading.js';
import type { SubjectFacts } from '../routes/rung.js';

/** A reader's input, for any endpoint. */
export interface Question extends ReadContext<Readonly<Record<string, Json>>> {
  /** The only route to use, and the facts about its subject; by default all routes. */
  readonly alone?: { readonly route: string; readonly facts: SubjectFacts | null } | undefined;
}

/** Reads an endpoint once, in this thread or another. The answer is checked against the contract. */
export type EndpointReader = (endpoint: Endpoint, question: Question) => Promise<ReadResult<unknown>>;

/**
 * Checks an answer against the contract: every documented key in order, no others, each of its type. Otherwise
 * `platform_changed`.
 */
function checkAnswer({ many, returns }: Pick<Endpoint, 'many' | 'returns'>, data: unknown): unknown {
  const schema = many ? z.array(returns) : returns;
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ExtractError(
    'platform_changed',
    `The page resulted in an invalid value: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() +
      '.',
    { cause: result.error },
  );
}

/** Returns the items of one route; null if nothing identifies the subject to it. */
async function readAlone(
  endpoint: Endpoint,
  { route, facts }: NonNullable<Question['alone']>,
  question: Question,
): Promise<ReadResult<unknown>> {
  const result = (await endpoint.readAlone?.(route, question, facts)) ?? null;
  if (result === null) return { data: null };
  if (endpoint.roles[route] === 'answers') {
    for (const item of result.items) checkAnswer({ many: false, returns: endpoint.returns }, item);
  }
  return { ...result, data: result.items };
}

/** Reads an endpoint once, in this thread. */
export const readEndpoint: EndpointReader = async (endpoint, question) => {
  const { alone } = question;
  if (alone !== undefined) return readAlone(endpoint, alone, question);
  const reading = await endpoint.read(question);
  return { ...reading, data: checkAnswer(endpoint, reading.data) };
};
