import { buffer } from 'node:stream/consumers';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { type AnswerLine, answerOfLine } from '../../../files/result-files/answer-lines.js';
import { coverageText } from '../../../output/coverage-text.js';
import { namedNumber } from '../../../output/item-text.js';
import { type Column, interestingColumns, select, valueAt } from '../../../output/selection.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';

export interface ResultsPreview {
  readonly columns: readonly { readonly title: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
  /** Notable coverage of the first lines, one sentence each: `10 of 713 posts: Instagram shows visitors no more.` */
  readonly coverage: readonly string[];
}

const maxRows = 10;
const maxColumns = 7;
const maxSentences = 3;
const maxCellCharacters = 80;
const maxBytes = 256 * 1024;

function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return namedNumber(name, value);
  const isWords = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = isWords ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters).toWellFormed()}…` : text;
}

async function firstLines(jobs: Jobs, account: string, id: string): Promise<AnswerLine[]> {
  const results = await jobs.results.open(account, id);
  const bytes = await buffer(results.read(0, Math.min(results.bytes, maxBytes)));
  const lines = bytes.toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AnswerLine);
}

/** Names come first, then numbers, other short values, long texts, and finally links and IDs. */
function rankOf({ name, numeric }: Column): number {
  if (/(^|_)(url|id|ids|urls|urn)$/.test(name)) return 4;
  if (/(^|[._])(name|username|title|headline)$/.test(name)) return 0;
  if (/(^|_)(about|bio|biography|description|text|caption)$/.test(name)) return 3;
  return numeric ? 1 : 2;
}

/** Returns the most interesting columns: the endpoint's preference for a list, by content for an object. */
function previewColumns({ returns, many, columns: preferred }: Endpoint): readonly Column[] {
  const { columns } = select(returns, many, null);
  if (preferred !== undefined) return interestingColumns({ columns, preferred }).slice(0, maxColumns);
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, maxColumns);
}

/** Returns the first items of a job in the most interesting columns; null if there are none. */
export async function resultsPreview(
  jobs: Jobs,
  account: string,
  { id, endpoint: path }: { readonly id: string; readonly endpoint: string },
): Promise<ResultsPreview | null> {
  const endpoint = jobs.endpoints.find((one) => one.path === path);
  if (endpoint === undefined) return null;
  const columns = previewColumns(endpoint);
  const answers = (await firstLines(jobs, account, id)).map((line) => answerOfLine(line, endpoint.many, 0));
  const rows = answers
    .flatMap(({ items }) => items.slice(0, maxRows))
    .slice(0, maxRows)
    .map((item) => columns.map((column) => cellText(column.name, valueAt(item, column.path))));
  if (rows.length === 0) return null;
  const sentences = answers.flatMap(({ coverage }) =>
    coverage === undefined ? [] : coverageText(endpoint, coverage),
  );
  return {
    columns: columns.map(({ name, numeric }) => ({ title: name, numeric })),
    rows,
    coverage: [...new Set(sentences)].filter((text) => text !== '').slice(0, maxSentences),
  };
}
