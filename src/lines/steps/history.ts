import path from 'node:path';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { kindOfName } from '../../files/result-files/file-kind.js';
import type { Line } from '../line.js';
import { type ObservedOutcome, observationOf } from '../memory/observation.js';
import type { PlannedRun, Step } from '../step.js';
import type { PseudonymValues } from './pseudonyms.js';

interface HistoryValues {
  /** A file; true or undefined for the database that the run appends to, false for none. */
  readonly history?: string | boolean | undefined;
}

function historyFile(
  { history, pseudonymise }: HistoryValues & PseudonymValues,
  { output, kind, nameOf }: PlannedRun,
): string | null {
  if (history === false) return null;
  if (typeof history !== 'string') {
    // A history has plain names, which pseudonymised output must not be next to.
    const isAdded = output?.append === true && output.kind === 'sqlite' && pseudonymise === undefined;
    return isAdded && kind !== 'area' ? output.file : null;
  }
  const refusal = (code: 'invalid_parameter' | 'conflicting_parameters', text: string) =>
    new ExtractError(code, text);
  const name = nameOf('history');
  if (kindOfName(history) !== 'sqlite')
    throw refusal(
      'invalid_parameter',
      `${name} ${history}: a history is an SQLite database, such as history.sqlite.`,
    );
  const isOutput = output !== null && path.resolve(output.file) === path.resolve(history);
  if (isOutput && pseudonymise !== undefined)
    throw refusal(
      'conflicting_parameters',
      `A history contains plain names: with ${nameOf('pseudonymise')}, use a file other than ${history}.`,
    );
  if (isOutput && !output.append)
    throw refusal(
      'conflicting_parameters',
      `-o would replace ${history}, which is also the history: add --append, or name another file.`,
    );
  return history;
}

function joinedPages(pages: readonly Line[]): Line | undefined {
  const [last] = pages.slice(-1);
  if (last === undefined || pages.length === 1) return last;
  const joined = (texts: readonly (string | null | undefined)[]) =>
    JSON.stringify(texts.flatMap((text) => JSON.parse(text ?? '[]') as readonly unknown[]));
  return {
    ...last,
    json: joined(pages.map(({ json }) => json)),
    sources: joined(pages.map(({ sources }) => sources)),
    calls: pages.length,
    isBrief: pages.some(({ isBrief }) => isBrief === true),
  };
}

/** Records how objects and lists change over time. */
export const history = {
  name: 'history',
  kinds: ['call', 'batch', 'area', 'grid', 'schedule'],
  options: {
    history: {
      shape: () => z.string(),
      value: 'file',
      help: 'Keep what changes over time in this SQLite database; with --append, in the output itself',
      negation: 'With --append: keep no history in the database',
      field: {
        schema: () =>
          z
            .literal(true, 'must be true or false.')
            .optional()
            .describe(
              'Keeps what each run of the schedule read, and what changed: `GET /v1/schedules/{id}/changes`. It includes what `when` and `new` omit from the lines.',
            ),
        brief: 'keep what changes',
        label: 'Keep what changes over time',
        line: { title: 'History', text: 'Kept until the schedule ends', without: 'Not kept' },
      },
    },
  },
  request(values, planned) {
    const file = planned.kind === 'schedule' ? String(values.history ?? '') : historyFile(values, planned);
    if (file === null || file === '') return null;
    return {
      needsSources: true,
      async open({ endpoint, clock, ...ports }) {
        const memory = await ports.history(file);
        let run = '';
        const pages: Line[] = [];
        const record = async (line: Line | undefined) => {
          const { item, json } = line ?? { item: undefined, json: null };
          if (line === undefined || json === null || !item?.params) return;
          const { params, partOf, texts = false, own } = item;
          const isWhole = line.isWhole === true && partOf === undefined;
          const outcome: ObservedOutcome = { source: null, calls: 1, ...line, json, isWhole };
          const observation = observationOf(endpoint, partOf ?? params, texts, outcome, clock.now());
          await memory.record(run, { ...observation, own });
        };
        return {
          identity: { history: file },
          async begin({ id }) {
            run = id;
          },
          // Written before the line, so that the history contains everything a line says.
          ...(planned.kind === 'call'
            ? {
                apply<L extends Line>(page: L): L {
                  pages.push(page);
                  return page;
                },
                saved: () => record(joinedPages(pages)),
              }
            : {
                async ahead(line: Line) {
                  await record(line);
                  return 'done' as const;
                },
              }),
          close: () => memory.close(),
        };
      },
    };
  },
} satisfies Step<HistoryValues, HistoryValues & PseudonymValues>;
