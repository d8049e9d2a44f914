import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import type { InputAnswer } from '../../../files/result-files/result-file.js';
import { type Line, remainder } from '../../../lines/line.js';
import type { LineSteps } from '../../../lines/run-steps.js';

const text = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
const parsed = (json: string | null | undefined): unknown =>
  json === undefined || json === null ? undefined : JSON.parse(json);

function lineOf({ input, index, own, items, sources, error, changed }: InputAnswer, many: boolean): Line {
  return {
    item: { index, params: null, fault: null, echo: JSON.stringify(input ?? null), own },
    json: items.length === 0 && (error !== null || !many) ? null : JSON.stringify(many ? items : items[0]),
    sources: text(sources),
    // This version may not know an earlier version's code, so steps only see the message.
    error: error === null ? null : new ExtractError('internal_error', error.message, { next: '' }),
    changed: text(changed),
  };
}

/** Yields the answers of a file after the steps, without those that the steps emptied. */
export async function* steppedAnswers(
  answers: AsyncIterable<InputAnswer>,
  { many }: Endpoint,
  steps: LineSteps,
): AsyncGenerator<InputAnswer, void, undefined> {
  for await (const answer of answers) {
    const line = remainder(await steps.apply(lineOf(answer, many)));
    if (line === null) continue;
    const { item, json, sources, error, changed } = line;
    const data = parsed(json);
    yield {
      ...answer,
      input: answer.input === undefined ? undefined : parsed(item.echo),
      own: item.own,
      items: data === undefined ? [] : many ? (data as readonly unknown[]) : [data],
      sources: parsed(sources) as readonly ItemSource[] | undefined,
      error: answer.error === null ? null : { ...answer.error, message: String(error?.message) },
      changed: parsed(changed),
    };
  }
}
