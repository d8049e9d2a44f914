import { ulid } from 'ulid';
import type { Coverage } from '../call/coverage.js';
import type { EndpointFunction } from '../endpoint-function.js';
import { type ErrorObject, ExtractError } from '../errors/extract-error.js';
import type { Extractor } from '../extractor.js';
import { isRecord } from '../read/json.js';
import { type BatchItem, type BatchOptions, runBatch } from './run-batch.js';

/** The result of one input: the data of its answer, or its error. Equal to a line of a job's results. */
export type BatchLine<Input, Data> =
  | {
      /** The parameters as passed. */
      readonly input: Input;
      /** The answer. */
      readonly data: Data;
      /** How much of what was requested it is. Present with `all`, or with sources. */
      readonly coverage?: Coverage;
      /** Only on the line of an input that failed. */
      readonly error?: never;
    }
  | {
      /** The parameters as passed. */
      readonly input: Input;
      /** Why there is no answer, or no more of it. What failed is free. */
      readonly error: ErrorObject;
      /** The items of a list that came before a page failed. They are charged. */
      readonly data?: Data;
      /** How much of the list they are. */
      readonly coverage?: Coverage;
    };

export function batchId(): string {
  return `batch_${ulid()}`;
}

type Item<Input> = BatchItem & { readonly input: Input };

async function* itemsOf<Input>(inputs: AsyncIterable<Input> | Iterable<Input>): AsyncGenerator<Item<Input>> {
  let index = 0;
  for await (const input of inputs) {
    const params = isRecord(input) ? input : null;
    const fault =
      params === null
        ? new ExtractError(
            'invalid_body',
            `Input ${index} is not an object of parameters. Pass one such as { username: 'nasa' }.`,
          )
        : null;
    yield { index, input, params, fault };
    index += 1;
  }
}

/**
 * Calls one endpoint for many inputs. Takes a stream of parameter objects and yields a line for each, in order, as they
 * become final. Memory does not grow with their number. A failed input yields a line with its `error`, and is free.
 * Leaving the loop early cancels calls in progress and refunds lines that were not taken. Throws `ExtractError` for
 * whatever ends the whole batch: no credits, a limit that would be exceeded, a refusal that is not waited for.
 *
 * Without an `extractor` it uses the default one, configured by the environment.
 */
export async function* batch<Input, Data>(
  { endpoint }: EndpointFunction<Input, Data>,
  inputs: AsyncIterable<NoInfer<Input>> | Iterable<NoInfer<Input>>,
  { extractor, ...options }: BatchOptions & { readonly extractor?: Extractor | undefined } = {},
): AsyncGenerator<BatchLine<Input, Data>, void, undefined> {
  const client = extractor ?? (await import('../base-extractor.js')).defaultExtractor();
  const results = runBatch(client, endpoint, itemsOf(inputs), { ...options, id: batchId() });
  for await (const { item, json, error, coverage, joins, sources } of results) {
    const { input } = item;
    const hasCoverage = coverage !== undefined && (joins || sources !== undefined);
    const details = hasCoverage ? { coverage } : {};
    const came = json === null ? {} : { data: JSON.parse(json) as Data, ...details };
    if (error === null) yield { input, ...(came as { readonly data: Data }) };
    else yield { input, ...came, error: error.toJSON() };
  }
}
