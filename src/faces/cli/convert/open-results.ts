import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
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

async function openTable(file: string, endpoint: Endpoint): Promise<ResultTable> {
  switch (kindOfName(file)) {
    case 'xlsx':
      return (await import('../../../files/result-files/tables/xlsx-table.js')).openXlsxTable(file);
    case 'parquet':
      return (await import('../../../files/result-files/tables/parquet-table.js')).openParquetTable(
        file,
        endpoint,
      );
    default:
      return (await import('../../../files/result-files/tables/csv-table.js')).openCsvTable(file, endpoint);
  }
}

async function open(file: string, endpoint: Endpoint): Promise<OpenResults> {
  const kind = kindOfName(file);
  if (kind === 'ndjson' || kind === 'json') {
    const shape = await shapeOfResults(file, endpoint);
    return { shape, isTable: false, answers: () => resultsOf(file, endpoint) };
  }
  const table = await openTable(file, endpoint);
  const shape = tableShape(endpoint, table.names);
  return {
    shape: { ...shape, onlyNew: false },
    isTable: true,
    answers: () => answersOfTable(file, endpoint, shape, table),
  };
}

/** Opens a results file. Throws `invalid_body`, here and while it is read, for anything else. */
export async function openResults(file: string, endpoint: Endpoint): Promise<OpenResults> {
  try {
    const results = await open(file, endpoint);
    return {
      ...results,
      async *answers() {
        try {
          yield* results.answers();
        } catch (cause) {
          throw unreadable(file, endpoint, cause);
        }
      },
    };
  } catch (cause) {
    throw unreadable(file, endpoint, cause);
  }
}
