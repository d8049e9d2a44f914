import { jsonWriter } from './json.js';
import { ndjsonWriter } from './ndjson.js';
import { tableWriter } from './table.js';
import type { Writer, WriterOptions } from './writer.js';

/** Opens the writer of the format that is asked for; what it needs is loaded then. */
export async function openWriter(target: WriterOptions): Promise<Writer> {
  switch (target.output.format) {
    case 'json':
      return jsonWriter(target);
    case 'ndjson':
      return ndjsonWriter(target);
    case 'csv':
      return (await import('./csv.js')).csvWriter(target);
    case 'table':
      return tableWriter(target);
  }
}
