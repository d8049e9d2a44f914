import path from 'node:path';
import { type Coverage, joinCoverage } from '../../../lib/call/coverage.js';
import { firstPosition, type ListPosition, returnedBefore } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import { fetchRecorded } from '../../../lib/call/fetch-recorded.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sourceTexts } from '../../../lib/read/item-source.js';
import type { Json } from '../../../lib/read/json.js';
import { type Case, identityOf } from '../../../lib/samples.js';
import type { PageEvidence, RecordedExchange } from '../../../lib/web/page-evidence.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import { EvidenceReader } from '../../../src/files/evidence/evidence-reader.js';
import { parseResultLine } from '../../../src/files/evidence/result-line.js';
import { type LineVerdict, Verification } from '../../../src/files/evidence/verify.js';
import { stoppedClock } from '../../support/cases.js';
import { fixturesOf } from '../../support/fixtures.js';

export const shortvideoProfile = endpoints.find(({ path: at }) => at === 'shortvideo/profile') as Endpoint;

/** Pages of a listing that are read at most. */
const maxPages = 4;

/** The line of a batch for a case whose pages are archived. */
export async function lineOfCase(
  archive: PageEvidence,
  endpoint: Endpoint,
  one: Case,
  pages: PageSource = routeSource(fixturesOf(endpoint), one.pages),
): Promise<string> {
  const identity = identityOf(endpoint, one);
  const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
  const data: unknown[] = [];
  const sources: unknown[] = [];
  const records: string[] = [];
  const coverages: Coverage[] = [];
  let position: ListPosition = firstPosition;
  try {
    for (let page = 0; page < maxPages; page += 1) {
      const request = { endpoint, identity, position, limit };
      const fetched = await fetchRecorded(archive, request, pages, stoppedClock, (pages) =>
        fetchAnswer(request, pages, stoppedClock),
      );
      const { answer } = fetched;
      const parsed: unknown = JSON.parse(answer.data);
      const items = Array.isArray(parsed) ? parsed : [parsed];
      data.push(...items);
      const itemsBefore = returnedBefore(position);
      if (answer.coverage !== undefined)
        coverages.push({ given: itemsBefore + items.length, ...answer.coverage });
      sources.push(
        ...JSON.parse(
          sourceTexts(answer.sources ?? '[]', itemsBefore, answer.fetchedAt, { records: fetched.records })
            .sources,
        ),
      );
      records.push(...(fetched.records ?? []));
      if (answer.next === null) break;
      position = { position: answer.next as Json, seen: [...position.seen, ...answer.prints] };
    }
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    return JSON.stringify({ input: identity, error: error.toJSON(), records: error.records });
  }
  const recordsOf = sources.length === 0 ? { records } : {};
  const coverage = joinCoverage(coverages);
  return JSON.stringify({
    ...{ input: identity, data: endpoint.many ? data : data[0], sources },
    ...{ coverage, ...recordsOf },
  });
}

/** What is said of each line, by the readers of some table. */
export async function verdicts(
  file: string,
  lines: readonly string[],
  table: readonly Endpoint[] = endpoints,
): Promise<LineVerdict[]> {
  const archive = await EvidenceReader.open(file);
  try {
    const verification = new Verification(archive, table);
    const lineVerdicts: LineVerdict[] = [];
    for (const [at, line] of lines.entries()) {
      const result = parseResultLine(line);
      if (result === null) throw new Error(`Line ${at + 1} is no result.`);
      lineVerdicts.push(await verification.verify(at + 1, result));
    }
    return lineVerdicts;
  } finally {
    await archive.close();
  }
}

export const archiveIn = (folder: string) => path.join(folder, 'run.wacz');

/** An exchange about nothing, with cookies. */
export const exchange = (body: string, at = Date.UTC(2026, 10, 5), rest: Partial<RecordedExchange> = {}) =>
  ({
    ...{ at, url: 'https://www.example.com/a?b=1', method: 'GET', by: 'network' },
    ...{ requestHeaders: { cookie: 'sid=hidden' }, requestBody: null, status: 200 },
    headers: { 'content-type': 'text/html', 'set-cookie': ['sid=hidden', 'b=hidden'] },
    ...{ body: Buffer.from(body), ...rest },
  }) as RecordedExchange;
