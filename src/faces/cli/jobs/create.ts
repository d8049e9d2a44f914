import { ulid } from 'ulid';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import type { ApiResponse } from '../../../../lib/remote/call-api.js';
import { formatOfName, type InputFormat } from '../../../files/batch-files/input.js';
import { type InputOptions, openSource, readInputs } from '../../../files/batch-files/read-inputs.js';
import type { DecodedLine } from '../../../files/batch-files/text-encoding.js';
import { paramOfArgument } from '../../../output/plain-argument.js';
import { checkIdempotencyKey } from '../../../service/jobs/idempotency-key.js';
import { maxInputs } from '../../../service/jobs/job-limits.js';
import { decodedText } from '../batch/batch-inputs.js';
import type { Context } from '../context.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';

/**
 * Reads the inputs of a job. Throws the error of the first invalid line, `too_many_inputs`, or `invalid_body` for no
 * inputs, before anything is sent.
 */
async function readJobInputs(
  chunks: AsyncIterable<Uint8Array>,
  endpoint: Endpoint,
  options: Pick<InputOptions, 'format' | 'ofAnswers' | 'onDecoded'>,
): Promise<string[]> {
  const nameOf = (value: string) => paramOfArgument(endpoint, value) ?? 'query';
  const inputs: string[] = [];
  for await (const { fault, echo } of readInputs(chunks, {
    ...options,
    endpoint,
    nameOf,
    parametersOnly: true,
  })) {
    if (fault !== null) throw fault;
    inputs.push(echo);
    if (inputs.length > maxInputs) throw new ExtractError('too_many_inputs');
  }
  if (inputs.length === 0) throw new ExtractError('invalid_body', 'There are no inputs.');
  return inputs;
}

/** Reads the inputs of a job, in any format that a batch reads; null for stdin. */
export async function jobInputs(
  context: Context,
  endpoint: Endpoint,
  file: string | null,
  format: InputFormat | null = formatOfName(file ?? ''),
): Promise<string[]> {
  const source = file === null ? context.stdin() : await openSource(file);
  let note = '';
  const onDecoded = (line: DecodedLine) => {
    note = decodedText(line);
  };
  try {
    const inputs = await readJobInputs(source.chunks, endpoint, { format, onDecoded });
    if (note !== '') await context.stderr.write(await wrapText(printable(`${note}\n`), context.stderr));
    return inputs;
  } finally {
    await source.close();
  }
}

/** Returns the distinct inputs for the items of a job's results, like the next stage of a chain. */
export function inputsOfResults(
  lines: AsyncIterable<Uint8Array>,
  endpoint: Endpoint,
  maxItems = Infinity,
): Promise<string[]> {
  return readJobInputs(lines, endpoint, { format: 'ndjson', ofAnswers: { maxItems } });
}

/** Creates a job of inputs in JSON. Retries a broken request once; the idempotency key prevents a second job. */
export async function createJob(
  client: ApiClient,
  fields: Readonly<Record<string, unknown>>,
  inputs: readonly string[],
  signal: AbortSignal,
  idempotencyKey = ulid(),
): Promise<ApiResponse> {
  const body = `${JSON.stringify(fields).slice(0, -1)},"inputs":[${inputs.join(',')}]}`;
  const headers = { 'idempotency-key': checkIdempotencyKey(idempotencyKey) };
  const send = () => client.post('jobs', { body, headers }, signal);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ExtractError) || error.code !== 'platform_unavailable') throw error;
    return send();
  }
}
