import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { isWorkbook } from '../../../files/batch-files/content-format.js';
import { checkInputs } from '../../../files/batch-files/dry-run.js';
import type { Input, InputFormat } from '../../../files/batch-files/input.js';
import { readInputs } from '../../../files/batch-files/read-inputs.js';
import { paramOfArgument } from '../../../output/plain-argument.js';
import { InputTexts, inputText, maxInputs } from '../../../service/jobs/job-limits.js';
import { type JobFields, parseJobRequest } from '../../../service/jobs/job-request.js';
import type { Draft } from './drafts.js';

export interface DraftInput {
  readonly account: string;
  readonly endpoint: Endpoint;
  readonly source: string;
  readonly format: InputFormat | null;
  readonly content: Uint8Array;
  readonly key: string | null;
  /** The other fields of the job. */
  readonly fields: JobFields;
}

const maxPreviewInputs = 5;
const chunkBytes = 8 * 1024;
/** Milliseconds of work before yielding to other tasks. */
const turnMs = 2;

async function* parts(account: string, content: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < content.length; at += chunkBytes) {
    yield content.subarray(at, at + chunkBytes);
    await accountTurns.next(account);
  }
}

/**
 * Parses and prices a job before it is created, without contacting a platform. Rejects a draft that cannot become a
 * job: `invalid_body` for no inputs, `too_many_inputs`, a CSV header that does not fit, and a forbidden webhook.
 */
export async function readDraft(input: DraftInput): Promise<Omit<Draft, 'id'>> {
  const { account, endpoint, source, format, content, key, fields } = input;
  const nameOf = (value: string) => paramOfArgument(endpoint, value) ?? 'query';
  if (isWorkbook(content)) {
    throw new ExtractError('invalid_body', 'Workbooks cannot be uploaded. Save the sheet as CSV.');
  }
  const texts: string[] = [];
  let unreadable = 0;
  async function* countedInputs(): AsyncGenerator<Input, void, undefined> {
    let turnBegan = performance.now();
    for await (const input of readInputs(parts(account, content), {
      format,
      endpoint,
      nameOf,
      parametersOnly: true,
    })) {
      if (performance.now() - turnBegan > turnMs) {
        await accountTurns.next(account);
        turnBegan = performance.now();
      }
      if (texts.length + unreadable === maxInputs) throw new ExtractError('too_many_inputs');
      if (input.params === null) unreadable += 1;
      else texts.push(inputText(input.params, texts.length + unreadable));
      // A job converts text to numbers for numeric parameters, whatever the file format.
      yield { ...input, texts: true };
    }
  }
  const sound: string[] = [];
  const checked = await checkInputs(endpoint, countedInputs(), async ({ echo }) => void sound.push(echo));
  if (checked.inputs === 0) throw new ExtractError('invalid_body', 'There are no inputs.');
  const requestOf = (inputs: readonly string[]) =>
    parseJobRequest(
      { ...fields, endpoint: endpoint.path, inputs: new InputTexts(inputs) },
      [endpoint],
      account,
    );
  const request = unreadable > 0 ? null : await requestOf(texts);
  const soundRequest = checked.wrong === 0 || sound.length === 0 ? null : await requestOf(sound);
  const first = texts.slice(0, maxPreviewInputs);
  return { account, source, checked, first, unreadable, request, soundRequest, key };
}
