import type { Endpoint } from '../../../lib/endpoint.js';
import { formatOfName, type InputFormat } from '../../batch-files/input-format.js';

/** How much of a text tells what it is. */
const sampleBytes = 4096;

/** What a text is whose name does not say it: JSON objects, a header of parameter names, or plain values. */
function formatOfText(text: string, { params, renamed }: Endpoint): InputFormat {
  const line =
    text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split(/\r?\n/, 1)[0] ?? '';
  if (line.startsWith('{') || line.startsWith('[')) return 'ndjson';
  const names = line.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return names.some((name) => Object.hasOwn(params, name) || Object.hasOwn(renamed, name)) ? 'csv' : 'text';
}

/** The format of inputs: by the file's name where it says one, else by how they begin. */
export function formatOf(name: string, content: Buffer, endpoint: Endpoint): InputFormat {
  if (/\.(csv|txt|ndjson|jsonl|json)$/i.test(name)) return formatOfName(name);
  return formatOfText(content.subarray(0, sampleBytes).toString(), endpoint);
}
