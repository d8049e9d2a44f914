import * as z from 'zod';
import { jsonOf } from '../../output/json-text.js';

/** An item of a result line with its source. */
interface LineItem {
  /** `data`, or `data.3` in a list. */
  readonly field: string;
  readonly item: unknown;
  readonly source: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of a result line that matter to an archive. */
export interface ResultLine {
  /** Error code; null for an answer, and for a partial list. */
  readonly error: string | null;
  readonly data: unknown;
  /** The items, if the line has their sources. */
  readonly entries: readonly LineItem[];
  /** Records that the line refers to. */
  readonly records: readonly string[];
}

const schema = z.object({
  data: z.unknown().optional(),
  error: z.object({ code: z.string() }).optional(),
  sources: z.array(z.record(z.string(), z.unknown())).optional(),
  records: z.array(z.string()).optional(),
});

/** Parses a line of a batch, or the answer of a call; null for any other text. */
export function parseResultLine(text: string): ResultLine | null {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success || (parsed.data.data === undefined && parsed.data.error === undefined)) return null;
  const { data, error, sources = [], records = [] } = parsed.data;
  const isList = Array.isArray(data);
  const items: readonly unknown[] = isList ? data : [data];
  const entries =
    sources.length === 0
      ? []
      : items.map((item, at) => ({ field: isList ? `data.${at}` : 'data', item, source: sources[at] }));
  return { error: data === undefined ? (error?.code ?? null) : null, data, entries, records };
}
