import { buffer } from 'node:stream/consumers';
import { type AnswerLine, answerOfLine } from '../../../files/result-files/answer-lines.js';
import { coverageText } from '../../../output/coverage-text.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import { type ItemTable, itemTable } from '../item-table.js';

export interface ResultsPreview {
  readonly table: ItemTable;
  /** Notable coverage of the first lines, one sentence each: `10 of 713 posts: Instagram shows visitors no more.` */
  readonly coverage: readonly string[];
}

const maxRows = 10;
const maxSentences = 3;
const maxBytes = 256 * 1024;

async function firstLines(jobs: Jobs, account: string, id: string): Promise<AnswerLine[]> {
  const results = await jobs.results.open(account, id);
  const bytes = await buffer(results.read(0, Math.min(results.bytes, maxBytes)));
  const lines = bytes.toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AnswerLine);
}

/** Returns the first items of a job in the most interesting columns; null if there are none. */
export async function resultsPreview(
  jobs: Jobs,
  account: string,
  { id, endpoint: path }: { readonly id: string; readonly endpoint: string },
): Promise<ResultsPreview | null> {
  const endpoint = jobs.endpoints.find((one) => one.path === path);
  if (endpoint === undefined) return null;
  const answers = (await firstLines(jobs, account, id)).map((line) => answerOfLine(line, endpoint.many, 0));
  const items = answers.flatMap((answer) => answer.items.slice(0, maxRows)).slice(0, maxRows);
  if (items.length === 0) return null;
  const sentences = answers.flatMap(({ coverage }) =>
    coverage === undefined ? [] : coverageText(endpoint, coverage),
  );
  const coverage = [...new Set(sentences)].filter((text) => text !== '').slice(0, maxSentences);
  return { table: itemTable(endpoint, items), coverage };
}
