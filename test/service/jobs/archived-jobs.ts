// Jobs with an archive, of recorded pages.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import { ArchiveReader } from '../../../src/files/archive/archive-reader.js';
import { parseResultLine } from '../../../src/files/archive/result-line.js';
import { Verification } from '../../../src/files/archive/verify.js';
import type { NewJob } from '../../../src/service/jobs/job.js';
import { fixturesOf } from '../../support/fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Customer, type JobsHarness, makeJob } from './harness.js';

export const comments = endpoints.find(({ path: at }) => at === 'shortvideo/comments') as Endpoint;
/** Three lists of comments, and a video that is not there. */
const ids = ['7571000000000000201', '7574000000000000015', '7574000000000000014', '7574000000000000013'];
const cases = await casesOf(comments);

/** The recorded pages of these videos. `onFetch` is told of each request. */
export function recordedPages(onFetch: (url: string) => unknown = () => undefined): PageSource {
  const routes = cases.filter(({ params }) => ids.includes(String(params.id))).flatMap(({ pages }) => pages);
  const source = routeSource(fixturesOf(comments), routes);
  return {
    ...source,
    open: (...given) => {
      const session = source.open(...given);
      return {
        ...session,
        fetch: async (request) => {
          await onFetch(request.url);
          return session.fetch(request);
        },
      };
    },
  };
}

/** An input for each. */
export const inputs = ids.map((id) => JSON.stringify({ id }));

/** Options of a node that reads recorded pages as a server reads a platform's. */
export const real = { ask: undefined, endpoints } as const;

/** Makes a job with an archive. */
export const makeArchived = (
  node: Pick<JobsHarness, 'jobs'>,
  customer: Customer,
  more: Partial<NewJob> = {},
) =>
  makeJob(node, customer, [], {
    ...{ endpoint: comments.path, credits: comments.credits, inputs },
    lineOptions: { sources: true, archive: true },
    ...more,
  });

/** The archive of a finished job. */
export async function download(
  node: Pick<JobsHarness, 'jobs'>,
  account: string,
  id: string,
): Promise<Buffer> {
  const { handle } = await node.jobs.downloads.open(account, id, 'wacz');
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The verdict of each line of a job, held against an archive. */
export async function verdicts(bytes: Buffer, lines: readonly unknown[]): Promise<readonly string[]> {
  const file = path.join(temporaryFolder(), 'job.wacz');
  writeFileSync(file, bytes);
  const archive = await ArchiveReader.open(file);
  try {
    const verification = new Verification(archive, endpoints);
    const found: string[] = [];
    for (const [at, line] of lines.entries()) {
      const parsed = parseResultLine(JSON.stringify(line));
      assert.ok(parsed);
      found.push((await verification.verify(at + 1, parsed)).status);
    }
    return found;
  } finally {
    await archive.close();
  }
}
