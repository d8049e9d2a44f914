import * as z from 'zod';
import type { Line } from '../../lines/line.js';
import type { Journal, JournalEntry, OpenStep, RequestedStep, StepPorts } from '../../lines/step.js';
import { integerText, quantity } from '../../output/number-text.js';
import { incompleteJournal } from '../batch-files/run-journal.js';
import { type CellResult, Cover, type CoverOptions } from './cover.js';

const cell = z.strictObject({
  index: z.int().min(0),
  isFull: z.boolean(),
  ids: z.array(z.string()),
  cutOff: z.strictObject({ lat: z.number(), lng: z.number(), radius_m: z.number() }).optional(),
});

/** Searches to show; the journal next to the output has all of them. */
const maxNamed = 5;

/** Says how many places were found, and where some are missing. */
function foundTexts({ places, cutOff }: Cover['progress'], journal: Journal | null): string[] {
  const summary = `${quantity(places, 'place')}, each once.`;
  if (cutOff.length === 0) return [summary];
  const shownCells = cutOff
    .slice(0, maxNamed)
    .map(({ lat, lng, radius_m }) => `${lat},${lng} (${radius_m} m)`);
  const rest = cutOff.length > maxNamed ? ` and ${integerText(cutOff.length - maxNamed)} more` : '';
  const file = journal === null ? '' : ` ${journal.file} has each as "cutOff".`;
  const cells = cutOff.length === 1 ? '1 cell is' : `${integerText(cutOff.length)} cells are`;
  return [
    summary,
    `${cells} still full, too small to split or without new places: places may be missing around ${shownCells.join(', ')}${rest}.${file}`,
  ];
}

type AreaOptions = Omit<CoverOptions, 'earlierResults' | 'onCell'>;

/** The first step of an area: decides how many pages of each cell are read, and returns each place once. */
export class AreaStep implements RequestedStep {
  readonly lack = 'new places';
  readonly #optionsOf: (run: string) => AreaOptions;
  #cover: Cover | undefined;

  constructor(optionsOf: (run: string) => AreaOptions) {
    this.#optionsOf = optionsOf;
  }

  get cover(): Cover {
    if (this.#cover === undefined) throw new Error('The area has not started.');
    return this.#cover;
  }

  open({ signal, journal }: StepPorts): OpenStep {
    const stop = () => this.#cover?.stop();
    signal.addEventListener('abort', stop, { once: true });
    let cells: Journal | null = null;
    return {
      readsOn: (input, answer) => this.cover.readsOn(input, answer),
      begin: async (run) => {
        const results: CellResult[] = [];
        cells = await journal('cells', run, (entry) => {
          const { data } = cell.safeParse(entry);
          if (data?.index === results.length) results.push(data);
        });
        if (cells !== null && results.length < run.writtenInputs) throw incompleteJournal(cells.file);
        const onCell = async (result: CellResult) => cells?.add(result as CellResult & JournalEntry);
        this.#cover = new Cover({ ...this.#optionsOf(run.id), earlierResults: results, onCell });
        if (signal.aborted) stop();
      },
      preview: (line) => this.cover.inside(line),
      apply: <L extends Line>(line: L) => this.cover.newPlaces(line),
      summary: () => foundTexts(this.cover.progress, cells),
      async close() {
        signal.removeEventListener('abort', stop);
        await cells?.close();
      },
    };
  }
}
