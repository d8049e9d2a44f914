import { joinCoverage } from '../../../../lib/call/coverage.js';
import type { Meta } from '../../../../lib/call/envelope.js';
import { locatedItems } from '../../../files/result-files/located-items.js';
import { printableJson } from '../printable.js';
import { type CommandAnswer, itemsOf, type Writer, type WriterOptions } from './writer.js';

/** Merges the `meta` of several pages: the last one's, with the sum of the charges. */
function mergeMetas(metas: readonly object[]): object {
  const charged = metas.reduce((sum, meta) => sum + ((meta as Partial<Meta>).credits_charged ?? 0), 0);
  return { ...metas.at(-1), credits_charged: charged };
}

/** Writes one envelope on one line, with the items of all pages. */
export function jsonWriter({ selection, stdout }: WriterOptions): Writer {
  const pages: CommandAnswer[] = [];
  return {
    async add(answer) {
      pages.push(answer);
    },
    async end() {
      if (pages.length === 0) return;
      const items = pages.flatMap((page) => itemsOf(page, selection));
      const data = selection.many ? items : items[0];
      const metas = pages.flatMap(({ meta }) => meta ?? []);
      const meta = metas.length > 1 ? mergeMetas(metas) : metas[0];
      const sources = pages.flatMap((page) => page.sources ?? []);
      const isLocated = pages.some((page) => page.sources !== undefined);
      const records = pages.flatMap((page) => page.records ?? []);
      const recorded = sources.length > 0 || records.length === 0 ? {} : { records };
      const coverage = joinCoverage(pages.flatMap((page) => page.coverage ?? []));
      const removedIds = pages.flatMap(({ removed = [] }) => removed);
      const line = JSON.stringify({
        ...{ data, meta },
        ...(isLocated ? { sources } : {}),
        ...(coverage === undefined ? {} : { coverage }),
        ...(removedIds.length > 0 ? { removed: removedIds } : {}),
        ...recorded,
      });
      await stdout.write(`${stdout.isTTY ? printableJson(line) : line}\n`);
    },
  };
}

/** Writes one item per line, page by page; with sources a line is like a batch's, without the input. */
export function ndjsonWriter({ selection, stdout }: WriterOptions): Writer {
  return {
    async add(answer) {
      const lines = locatedItems(itemsOf(answer, selection), answer).map(
        (line) => `${JSON.stringify(line)}\n`,
      );
      if (lines.length === 0) return;
      const text = lines.join('');
      await stdout.write(stdout.isTTY ? printableJson(text) : text);
    },
    async end() {},
  };
}
