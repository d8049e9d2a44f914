import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Case } from '../../lib/samples.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { fixturesOf } from './fixtures.js';

/** A case that `npm run capture` created from real pages, with invented content. */
export interface CapturedCase extends Case {
  /** The case's pages. */
  open(): PageSource;
  /** The `data` of each page of the answer. */
  readonly answers: readonly unknown[];
}

/** The captured cases of an endpoint. They are only for tests, and not part of the package. */
export function capturedCasesOf(
  endpoint: Pick<Endpoint, 'path'>,
  root = fixturesOf(endpoint),
): CapturedCase[] {
  const folder = path.join(root, 'captures');
  const index = path.join(folder, 'cases.json');
  if (!existsSync(index)) return [];
  const cases = JSON.parse(readFileSync(index, 'utf8')) as Case[];
  return cases.map((one) => ({
    ...one,
    open: () => routeSource(folder, one.pages),
    answers: (one.expect ?? []).map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))),
  }));
}
