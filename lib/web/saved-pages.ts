import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ExtractError, invalidParameter, isErrorCode } from '../errors/extract-error.js';
import type { ReadBody } from './page-file.js';
import type { PageSource } from './page-source.js';
import { decodedBody, type Route, type RouteOptions, routeSource } from './routes.js';

/** The index of a directory of saved pages: which body answers which request. */
export const indexName = 'pages.ndjson';

const request = {
  /** Set if a browser opened the page, or the page requested it; absent for a plain request. */
  by: z.literal('browser').optional(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  requestBody: z.string().nullable(),
  /** When it was requested; 0.1.0 stored neither this nor the digest. */
  at: z.iso.datetime().optional(),
};

/** One line of the index: a response, or the error instead. */
const savedPage = z.union([
  z.object({
    ...request,
    status: z.int().min(100).max(999),
    headers: z.record(z.string(), z.string()),
    finalUrl: z.url(),
    file: z.string(),
    /** Digest of the file, in hexadecimal. */
    sha256: z.string().optional(),
  }),
  z.object({
    ...request,
    failure: z.object({ code: z.string().refine(isErrorCode), message: z.string() }),
  }),
]);

export type SavedPage = z.infer<typeof savedPage>;

const exactly = (text: string) => `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

/** A saved page, and whether a browser received it. */
export interface SavedRoute {
  readonly browsed: boolean;
  readonly route: Route;
}

export const exactBody = (body: string | null): string => exactly(decodedBody(body ?? ''));

function routeOf(line: string): SavedRoute {
  const { requestBody, by, at: _, ...route } = savedPage.parse(JSON.parse(line));
  return {
    browsed: by !== undefined,
    route: { ...route, requestBody: exactBody(requestBody) },
  };
}

/** Marks the source as one that runs pages, because their own requests were saved. */
function asVisits(source: PageSource): PageSource {
  return {
    open: (site, signal) => ({ ...source.open(site, signal), runsPages: true }),
    close: () => source.close(),
  };
}

/** Returns the plain source's `open`, which falls back to the browser's visit for requests answered only there. */
function withVisits(plain: PageSource, visited: ReadonlySet<string | undefined>): PageSource['open'] {
  return (site, signal) => {
    const session = plain.open(site, signal);
    return {
      ...session,
      async fetch(request) {
        try {
          return await session.fetch(request);
        } catch (error) {
          const isMissing = error instanceof ExtractError && error.code === 'platform_unavailable';
          if (!isMissing || !visited.has(request.url)) throw error;
          throw new ExtractError(
            'platform_blocked',
            'A browser saved this page; no plain request fetched it.',
          );
        }
      },
    };
  };
}

function readIndex(dir: string): string {
  try {
    return readFileSync(path.join(dir, indexName), 'utf8');
  } catch (cause) {
    throw invalidParameter(
      `There are no saved pages in ${dir}: no ${indexName}. Save some with --save-pages first.`,
      {
        cause,
      },
    );
  }
}

/**
 * Creates a source that answers from saved pages, without the network. Identical requests get the responses in order,
 * the last one repeatedly. A browser's visits are answered without a browser, after plain requests as in the original
 * run. Throws `invalid_parameter` for a directory without such pages.
 */
export function fromSavedPages(dir: string): PageSource {
  const lines = readIndex(dir).split('\n');
  const routes = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [routeOf(line)];
    } catch (cause) {
      const message = `Line ${index + 1} of ${path.join(dir, indexName)} is not a saved page.`;
      throw invalidParameter(message, { cause });
    }
  });
  return savedSource(dir, routes);
}

export function savedSource(
  bodies: string | ReadBody,
  routes: readonly SavedRoute[],
  options: RouteOptions = {},
): PageSource {
  const [plain, visits] = [false, true].map((isVisit) =>
    routes.filter(({ browsed }) => browsed === isVisit).map(({ route }) => route),
  ) as [Route[], Route[]];
  const source = routeSource(bodies, plain, options);
  if (visits.length === 0) return source;
  const visited = asVisits(routeSource(bodies, visits, options));
  return {
    open: withVisits(source, new Set(visits.map(({ url }) => url))),
    browser: { when: plain.length === 0 ? 'always' : 'refused', source: async () => visited },
    close: () => source.close(),
  };
}
