import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../../lib/runtime/abort.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { kindOfName } from '../../../files/result-files/file-kind.js';
import type { InputAnswer } from '../../../files/result-files/result-file.js';
import {
  answersOfTable,
  type ResultTable,
  tableShape,
} from '../../../files/result-files/tables/read-table.js';
import { type ResultShape, resultsOf, shapeOfResults } from './result-values.js';

export interface OpenResults {
  readonly shape: ResultShape;
  /** True for a table, which holds only part of each source. */
  readonly isTable: boolean;
  answers(): AsyncGenerator<InputAnswer, void, undefined>;
}

function unreadable(file: string, { path }: Endpoint, cause: unknown): unknown {
  if (cause instanceof ExtractError) return cause;
  const text = (cause as Error).message.replace(/\.$/, '');
  return new ExtractError('invalid_body', `${file} cannot be read as results of ${path}: ${text}.`, {
    cause,
    next: '',
  });
}

async function openTable(file: string, endpoint: Endpoint, signal: CallSignal): Promise<ResultTable> {
  switch (kindOfName(file)) {
    case 'xlsx':
      return (await import('../../../files/result-files/tables/xlsx-table.js')).openXlsxTable(file);
    case 'parquet':
      return (await import('../../../files/result-files/tables/parquet-table.js')).openParquetTable(
        file,
        endpoint,
        { signal, clock: systemClock },
      );
    default:
      return (await import('../../../files/result-files/tables/csv-table.js')).openCsvTable(file, endpoint);
  }
}

async function open(file: string, endpoint: Endpoint, signal: CallSignal): Promise<OpenResults> {
  const kind = kindOfName(file);
  if (kind === 'ndjson' || kind === 'json') {
    const shape = await shapeOfResults(file, endpoint, signal);
    return { shape, isTable: false, answers: () => resultsOf(file, endpoint, signal) };
  }
  const table = await openTable(file, endpoint, signal);
  const shape = tableShape(endpoint, table.names);
  return {
    shape: { ...shape, onlyNew: false },
    isTable: true,
    answers: () => answersOfTable(file, endpoint, shape, table),
  };
}

/** Opens a results file. Throws `invalid_body`, here and while it is read, for anything else; the signal's reason. */
export async function openResults(
  file: string,
  endpoint: Endpoint,
  signal: CallSignal,
): Promise<OpenResults> {
  const faultOf = (cause: unknown) => (signal.aborted ? signal.reason : unreadable(file, endpoint, cause));
  try {
    const results = await open(file, endpoint, signal);
    return {
      ...results,
      async *answers() {
        try {
          for await (const answer of results.answers()) {
            signal.throwIfAborted();
            yield answer;
          }
        } catch (cause) {
          throw faultOf(cause);
        }
      },
    };
  } catch (cause) {
    throw faultOf(cause);
  }
}
