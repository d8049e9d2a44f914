import { createHash } from 'node:crypto';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { ExtractError, invalidParameter } from '../errors/extract-error.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import { makeFolder } from '../runtime/make-folder.js';
import type { Page, PageRequest, PageSource } from './page-source.js';
import { indexName, type SavedPage } from './saved-pages.js';
import { wrapFetches } from './wrap-fetches.js';

/** The headers that are saved: those a reader may inspect. Never cookies. */
const savedHeaders = ['content-type', 'location', 'retry-after'] as const;
/** Headers saved without their values, which identify the visitor. */
const markedHeaders = ['bdturing-verify'] as const;

/** Outcomes without a response. A refusal during a cooldown sent no request. */
const failures: ReadonlySet<string> = new Set([
  'platform_unavailable',
  'platform_timeout',
  'platform_changed',
]);

const extensions: readonly (readonly [RegExp, string])[] = [
  [/\bhtml\b/i, 'html'],
  [/\bjson\b/i, 'json'],
  [/\bjavascript\b/i, 'js'],
  [/\bxml\b/i, 'xml'],
  [/^text\//i, 'txt'],
];

function extension(contentType = ''): string {
  const type = contentType.split(';')[0] ?? '';
  return extensions.find(([pattern]) => pattern.test(type))?.[1] ?? 'bin';
}

/** Returns the highest file number in the directory, after which another run continues. */
async function highestNumber(dir: string): Promise<number> {
  const numbers = (await readdir(dir)).map((name) =>
    Number(/^[a-z]+-(\d{1,9})\.[a-z]+$/.exec(name)?.[1] ?? 0),
  );
  return numbers.reduce((highest, number) => Math.max(highest, number), 0);
}

function headersOf({ headers }: Page): Record<string, string> {
  const headerNames = savedHeaders.filter((name) => headers[name] !== undefined);
  const marked = markedHeaders.filter((name) => headers[name] !== undefined);
  return Object.fromEntries([
    ...headerNames.map((name) => [name, headers[name] ?? '']),
    ...marked.map((name) => [name, '']),
  ]);
}

interface RequestFacts {
  readonly browsed: boolean;
  readonly at: number;
}

/** Writes each body to its own file and one line per exchange. Never overwrites a file. */
class PageFolder {
  readonly #dir: string;
  /** One page at a time: a line implies that its body exists, in the order of the responses. */
  readonly #turn = pLimit(1);
  #number: number | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async save(
    platform: string,
    request: PageRequest,
    outcome: Page | ExtractError,
    { browsed, at }: RequestFacts,
  ): Promise<void> {
    try {
      await this.#turn(() => this.#write(platform, request, outcome, { browsed, at }));
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      throw invalidParameter(
        `Pages cannot be saved in ${this.#dir}${reason}. Name a folder that can be written.`,
        {
          cause,
        },
      );
    }
  }

  async #write(
    platform: string,
    request: PageRequest,
    outcome: Page | ExtractError,
    { browsed, at }: RequestFacts,
  ): Promise<void> {
    if (this.#number === undefined) {
      makeFolder(this.#dir);
      this.#number = await highestNumber(this.#dir);
    }
    const requestRecord = {
      ...(browsed ? { by: 'browser' as const } : {}),
      url: request.url,
      method: request.method ?? 'GET',
      requestBody: request.body ?? null,
      at: new Date(at).toISOString(),
    } as const;
    const record: SavedPage =
      outcome instanceof ExtractError
        ? { ...requestRecord, failure: { code: outcome.code, message: outcome.message } }
        : {
            ...requestRecord,
            status: outcome.status,
            headers: headersOf(outcome),
            finalUrl: outcome.url,
            file: await this.#writeBody(platform, this.#number, outcome),
            sha256: createHash('sha256').update(outcome.body).digest('hex'),
          };
    await appendFile(path.join(this.#dir, indexName), `${JSON.stringify(record)}\n`);
  }

  /** Returns the name of the file. Another program may be saving to the same directory. */
  async #writeBody(platform: string, after: number, page: Page): Promise<string> {
    for (let number = after + 1; ; number += 1) {
      const name = `${platform}-${String(number).padStart(4, '0')}.${extension(page.headers['content-type'])}`;
      try {
        await writeFile(path.join(this.#dir, name), page.body, { flag: 'wx' });
        this.#number = number;
        return name;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }
}

/**
 * Saves every page of a source to `dir` (created on demand). Each body gets its own file; each request gets a line in
 * `pages.ndjson` with its time, the response's head and the body's SHA-256. Pages are saved as they arrive, including
 * the pages of a failed call. A request without a response becomes a line with its error. A page that cannot be saved
 * is `invalid_parameter`, so that no caller assumes it was. A browser's visits are saved, too.
 */
export function savePages(source: PageSource, dir: string, clock: Clock = systemClock): PageSource {
  const folder = new PageFolder(dir);
  return wrapFetches(source, (fetch, { site, runsPages }) => async (request) => {
    const facts = { browsed: runsPages, at: clock.now() };
    try {
      const page = await fetch(request);
      await folder.save(site.platform, request, page, facts);
      return page;
    } catch (error) {
      if (error instanceof ExtractError && failures.has(error.code)) {
        await folder.save(site.platform, request, error, facts);
      }
      throw error;
    }
  });
}
