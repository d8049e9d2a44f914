import type { Endpoint } from '../../../lib/endpoint.js';
import type { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { type CsvChoices, csvLines } from '../result-files/csv-lines.js';
import { type InputResult, type LineFormat, lineError } from './line-format.js';

export function csvFormat(endpoint: Endpoint, choices: CsvChoices): LineFormat {
  const csv = csvLines(endpoint, choices);
  return {
    head: csv.head,
    lines({ item, json, sources: located, error, changed }: InputResult) {
      const { params: input, index, own } = item;
      const about = { input, own, index, from: 0 };
      if (json === null) {
        return csv.text(csv.rows({ ...about, items: [], error: lineError(error as ExtractError, item) }));
      }
      const data: unknown = JSON.parse(json);
      const items = endpoint.many ? (data as readonly unknown[]) : [data];
      const sources = located === undefined ? undefined : (JSON.parse(located) as readonly ItemSource[]);
      const changes: unknown = changed === undefined ? undefined : JSON.parse(changed);
      return csv.text(csv.rows({ ...about, items, sources, error: null, changed: changes }));
    },
  };
}
