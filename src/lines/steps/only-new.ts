import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { bare } from '../../../lib/params/describe.js';
import { integerText } from '../../output/number-text.js';
import type { SeenObservation } from '../memory/seen.js';
import type { Journal, JournalEntry, Step } from '../step.js';
import type { PseudonymValues } from './pseudonyms.js';

export interface OnlyNewValues {
  readonly new?: string | undefined;
  readonly newCounts?: boolean | undefined;
}

const name = () =>
  z.string().refine((text) => /^\w[\w.-]{0,63}$/.test(text), {
    error: 'It must be 1 to 64 letters, digits, “_”, “.” or “-”, beginning with none of the last two.',
  });

function newestFirst({ params }: Endpoint): Readonly<Record<string, string>> {
  const sort = params.sort === undefined ? undefined : bare(params.sort);
  return sort instanceof z.ZodEnum && sort.options.includes('newest') ? { sort: 'newest' } : {};
}

/** Leaves out what earlier runs under a name returned. */
export const onlyNew = {
  name: 'only-new',
  kinds: ['call', 'batch', 'area', 'schedule'],
  options: {
    new: {
      shape: name,
      value: 'name',
      help: 'Omit what earlier runs under this name returned: known items of lists, unchanged objects',
      field: {
        schema: () =>
          z
            .literal(true, 'must be true or false.')
            .optional()
            .describe(
              'Omits, and counts in `left_out`, what an earlier job of the schedule returned: items of a list by their ID, and objects in which only counts changed. `removed` of a line has the IDs of items that disappeared from a list that was read to its end.',
            ),
        brief: 'only what is new',
        label: 'Give only what is new since earlier runs',
        line: {
          title: 'Results',
          text: 'What no earlier run gave, and objects that changed',
          without: 'All that a run reads',
        },
      },
    },
    newCounts: { shape: () => z.boolean(), help: 'With --new: treat changed counts as new' },
  },
  request(
    { new: name, newCounts: counts = false, pseudonymise }: OnlyNewValues & PseudonymValues,
    { endpoint, all, nameOf },
  ) {
    if (name === undefined) {
      if (!counts) return null;
      throw new ExtractError(
        'missing_parameter',
        `${nameOf('newCounts')} needs a name to remember under: ${nameOf('new')} NAME.`,
      );
    }
    return {
      needsSources: true,
      defaults: newestFirst(endpoint),
      lack: 'news',
      follows: endpoint.many,
      async open({ clock, seenMemory, journal }) {
        const { OnlyNewRun } = await import('../memory/only-new-run.js');
        const memory = await seenMemory(name);
        const run = new OnlyNewRun({ endpoint, memory, clock, all, counts });
        let unremembered: Journal | null = null;
        return {
          identity: { new: name, ...(counts ? { newCounts: true } : {}) },
          readsOn: run.readsOn,
          knownItems: run.knownItems,
          async begin(started) {
            // It has plain names, which pseudonymised output must not be next to.
            if (pseudonymise !== undefined) return;
            // A killed process may have written lines without remembering them.
            let entries: JournalEntry[] = [];
            const takeEntry = (entry: JournalEntry) => {
              if (entry.seen !== undefined) entries.push(entry);
              else entries = entries.filter(({ index }) => index > entry.index);
            };
            unremembered = await journal('new', started, takeEntry, true);
            await memory.remember(entries.map(({ seen }) => seen as SeenObservation));
          },
          async apply(line) {
            const part = await run.unseenPart(line);
            const { index } = line.item;
            const observation = run.unremembered(index);
            if (observation !== undefined) await unremembered?.add({ index, seen: observation });
            return part;
          },
          async saved(before) {
            await run.remember(before);
            if (before > 0) await unremembered?.add({ index: before - 1 });
          },
          summary() {
            const parts = Object.entries(run.counts).filter(([, count]) => count > 0);
            if (parts.length === 0) return [];
            return [
              `Since earlier runs: ${parts.map(([kind, count]) => `${integerText(count)} ${kind}`).join(', ')}.`,
            ];
          },
          async end({ finished }) {
            if (finished) await unremembered?.remove();
          },
          async close() {
            await unremembered?.close();
            await memory.close();
          },
        };
      },
    };
  },
} satisfies Step<OnlyNewValues, OnlyNewValues & PseudonymValues>;
