import * as z from 'zod';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Json } from '../read/json.js';
import type { ReadContext, ReadResult } from '../routes/reading.js';

/** The input of a reader, whatever its endpoint. */
export type Question = ReadContext<Readonly<Record<string, Json>>>;

/** Reads an endpoint once, here or in a thread of its own. Its answer was held against the contract. */
export type EndpointReader = (endpoint: Endpoint, question: Question) => Promise<ReadResult<unknown>>;

/**
 * Holds a reading against the contract: every documented key there, in order, no other, each of its type.
 * Any other reading is no answer but `platform_changed`.
 */
function checkAnswer(endpoint: Endpoint, data: unknown): unknown {
  const schema = endpoint.many ? z.array(endpoint.returns) : endpoint.returns;
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ExtractError(
    'platform_changed',
    `The page led to a value that cannot be: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() +
      '.',
    { cause: result.error },
  );
}

/** Reads an endpoint once, in this thread. */
export const readEndpoint: EndpointReader = async (endpoint, question) => {
  const reading = await endpoint.read(question);
  return { ...reading, data: checkAnswer(endpoint, reading.data) };
};
