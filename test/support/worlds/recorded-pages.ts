import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { Case } from '../../../lib/samples.js';
import { headerValues } from '../../../lib/web/headers.js';
import type { SiteAnswer } from '../browser-site.js';

const fixtures = path.join(packageRoot(), 'fixtures');
const readFixture = (name: string) => readFileSync(path.join(fixtures, name), 'utf8');
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** An answer with JSON text. */
export const json = (body: string): SiteAnswer => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: latin1(body),
});

/** A page. */
export const html = (body: string): SiteAnswer => ({ body: latin1(body) });

/** A file of the fixtures, in which some words may be replaced by others. */
export function recordedPage(file: string, replaced: Readonly<Record<string, string>> = {}): string {
  return Object.entries(replaced).reduce(
    (text, [one, other]) => text.replaceAll(one, other),
    readFixture(file),
  );
}

/** Returns the answer of a fixture's case to a request whose URL or body contains these words. */
export function recordedCase(endpoint: string, name: string, words = ''): SiteAnswer {
  const cases = JSON.parse(readFixture(`${endpoint}/cases.json`)) as Case[];
  const page = cases
    .find((one) => one.name === name)
    ?.pages.find(({ url, pattern, requestBody }) => `${url ?? pattern} ${requestBody ?? ''}`.includes(words));
  if (page === undefined) throw new Error(`${endpoint} has no page for “${words}” in a case “${name}”.`);
  const [type = 'text/html'] = headerValues(page.headers ?? {}, 'content-type');
  const body = page.file === undefined ? (page.body ?? '') : readFixture(`${endpoint}/${page.file}`);
  return { status: page.status ?? 200, headers: { 'content-type': type }, body: latin1(body) };
}
