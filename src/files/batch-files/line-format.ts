import type { BatchResult } from '../../../lib/batch/run-batch.js';
import type { ErrorObject, ExtractError } from '../../../lib/errors/extract-error.js';
import type { Input } from './input.js';

export interface InputResult extends BatchResult<Input> {
  /** With `--new`: the changes of an object that was given before, as JSON text. */
  readonly changed?: string | undefined;
}

/** A format of results. */
export interface LineFormat {
  /** Precedes the first line; may be empty. */
  readonly head: string;
  /** A result as whole lines: one, or with `flatten` one for each item of its list. */
  lines(result: InputResult): string;
}

/** The error of a line; the message of an invalid input names its line. */
export function lineError(error: ExtractError, { line }: Input): ErrorObject {
  const object = error.toJSON();
  const numbered = object.message.startsWith(`Line ${line} `);
  if (object.type !== 'invalid_request' || numbered) return object;
  return { ...object, message: `Line ${line}: ${object.message}` };
}

/** The contract's job lines: `{"input":…,"data":…}` or `{"input":…,"error":…}`, the data as serialised. */
export function ndjsonFormat(flatten: boolean): LineFormat {
  return {
    head: '',
    lines({ item, json, error, changed }) {
      const begin = `{"input":${item.echo},`;
      if (json === null)
        return `${begin}"error":${JSON.stringify(lineError(error as ExtractError, item))}}\n`;
      const end = changed === undefined ? '' : `,"changed":${changed}`;
      if (!flatten) return `${begin}"data":${json}${end}}\n`;
      const items = JSON.parse(json) as readonly unknown[];
      return items.map((one) => `${begin}"data":${JSON.stringify(one)}}\n`).join('');
    },
  };
}
