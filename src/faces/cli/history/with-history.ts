import { isListEnd } from '../../../../lib/call/coverage.js';
import type { Answer } from '../../../../lib/call/envelope.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { HistoryReader } from '../../../lines/memory/history.js';
import type { ObservedOutcome } from '../../../lines/memory/observation.js';
import type { OpenStep } from '../../../lines/step.js';

type Params = Readonly<Record<string, unknown>>;

/** The history that a command writes to. */
export interface HistoryWriter {
  /** Records the answer to an input; resolves when it is on the disk. */
  record(run: string, params: Params, texts: boolean, outcome: ObservedOutcome): Promise<void>;
}

/** Runs work on the history in a file; null for none. */
export async function withHistory<T>(
  file: string | null,
  endpoint: Endpoint,
  work: (history: HistoryWriter | null) => Promise<T>,
): Promise<T> {
  if (file === null) return work(null);
  const { fileScope, observationOf, openHistoryFile } = await import('../../../compose/open-history.js');
  const { history, close } = await openHistoryFile(file, systemClock, true);
  try {
    return await work({
      async record(run, params, texts, outcome) {
        const observation = observationOf(endpoint, params, texts, outcome, systemClock.now());
        await history.record(fileScope, run, [observation]);
      },
    });
  } finally {
    await close();
  }
}

/** The history as a step over the lines of a batch: what a line says is in the history before the line is written. */
export function historyStep(history: HistoryWriter): OpenStep {
  let run = '';
  return {
    async begin({ id }) {
      run = id;
    },
    async ahead({ item: { params, texts }, json, ...outcome }) {
      if (json !== null && params !== null)
        await history.record(run, params, texts === true, { source: null, calls: 1, ...outcome, json });
      return 'done';
    },
  };
}

/** Runs work on the history that a file holds. Rejects `invalid_parameter` for a file without one. */
export async function readHistory<T>(file: string, work: (history: HistoryReader) => Promise<T>): Promise<T> {
  const { fileScope, openHistoryFile } = await import('../../../compose/open-history.js');
  const { history, close } = await openHistoryFile(file, systemClock, false);
  try {
    return await work(history.reader(fileScope));
  } finally {
    await close();
  }
}

/** The pages of one list as the outcome of one input. */
export function outcomeOf(pages: readonly Answer[]): ObservedOutcome {
  const last = pages.at(-1) as Answer;
  const joined = (texts: readonly string[]) => JSON.stringify(texts.flatMap((text) => JSON.parse(text)));
  return {
    json: pages.length === 1 ? last.json : joined(pages.map(({ json }) => json)),
    sources: joined(pages.map(({ sources = '[]' }) => sources)),
    source: last.source,
    calls: pages.length,
    isWhole: isListEnd(last),
    isBrief: pages.some(({ brief }) => brief === true),
  };
}
