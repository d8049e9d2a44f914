import { batchId } from '../../../../lib/batch/batch.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import {
  addedLines,
  addLines,
  removeAddedLines,
  requireAddable,
} from '../../../files/batch-files/appended-output.js';
import { openFault, outputFault, writeFault } from '../../../files/batch-files/output-fault.js';
import { itemCsv } from '../../../files/result-files/csv-lines.js';
import type { OutputKind } from '../../../files/result-files/file-kind.js';
import { type DraftFile, openDraft } from '../../../files/result-files/write-file.js';
import type { CsvStyle } from '../../../output/csv-cells.js';
import type { Selection } from '../../../output/selection.js';
import { requireAppendable } from '../batch/batch-options.js';
import type { Options } from '../output.js';
import { outputKindOf } from '../output-kind.js';
import { checkReplaceable } from '../replaceable-file.js';
import { UsageError } from '../usage-error.js';
import type { Writer } from './writer.js';

export interface AnswerFile {
  readonly file: string;
  readonly kind: OutputKind;
  readonly append: boolean;
}

const conflict = (message: string) => new UsageError('conflicting_parameters', message);

/**
 * Returns the file that the options name; null for stdout. Throws a usage error for an existing file and for options
 * that do not fit its format, before anything is requested or charged.
 */
export async function answerFileOf(options: Options): Promise<AnswerFile | null> {
  const { output: file, format, append = false, overwrite = false, fields } = options;
  if (typeof file !== 'string') {
    if (append === true || overwrite === true) {
      throw new UsageError('missing_parameter', 'The output file is missing: -o FILE.');
    }
    return null;
  }
  if (options.json === true) throw conflict('Give either --json or -o FILE, not both.');
  if (format === 'table') throw conflict('Give either --format table or -o FILE.');
  const kind = (format as 'ndjson' | 'json' | 'csv' | undefined) ?? outputKindOf(file);
  if (append === true) requireAppendable(kind, file);
  if (fields !== undefined && (kind === 'sqlite' || kind === 'parquet')) {
    throw conflict(`--fields works with CSV, JSON and XLSX; ${kind} always has all fields.`);
  }
  await checkReplaceable(file, append === true || overwrite === true);
  return { file, kind, append: append === true };
}

interface FileContent {
  readonly endpoint: Endpoint;
  readonly selection: Selection;
  readonly csv: CsvStyle;
  readonly sources: boolean;
}

/**
 * Writes an answer to a file, which is created with the first page, so that a failed call leaves none. Throws if the
 * file cannot be appended to.
 */
export async function fileWriter(target: AnswerFile, content: FileContent): Promise<Writer> {
  const { selection, ...shape } = content;
  const { file, kind } = target;
  const adds = target.append && kind !== 'sqlite';
  const isTable = kind === 'csv' || kind === 'tsv';
  const head = isTable ? itemCsv(selection, { ...shape.csv, tabs: kind === 'tsv' }, shape.sources).head : '';
  if (adds) await requireAddable(file, head);
  const id = batchId();
  let draft: DraftFile | undefined;
  let from = 0;
  return {
    async add({ data, input, sources, coverage }) {
      const items = selection.many ? (data as readonly unknown[]) : [data];
      try {
        const run = { id, at: new Date(systemClock.now()).toISOString() };
        draft ??= await openDraft({
          ...target,
          ...(adds ? { file: addedLines(file) } : {}),
          ...shape,
          inputs: false,
          selection,
          run,
        });
        await draft.writer.add({ input, index: 0, items, sources, coverage, from, error: null });
      } catch (error) {
        await draft?.discard();
        throw draft === undefined ? openFault(target.file, error) : writeFault(error);
      }
      from += items.length;
    },
    async end() {
      await draft?.commit().catch((cause: unknown) => {
        throw outputFault(cause);
      });
      if (!adds || draft === undefined) return;
      await addLines(file, id, head);
      await removeAddedLines(file);
    },
  };
}
