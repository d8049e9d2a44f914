import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ExtractError, isErrorCode } from '../errors/extract-error.js';
import type { ReadBody } from './page-file.js';
import type { PageSource } from './page-source.js';
import { decodedBody, type Route, type RouteOptions, routeSource } from './routes.js';

/** The file of a directory of saved pages that says which body answers which request. */
export const indexName = 'pages.ndjson';

const request = {
  /** Where a browser opened the page, or the page asked for it; left out for a plain request. */
  by: z.literal('browser').optional(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  requestBody: z.string().nullable(),
  /** When it was asked for; 0.1.0 kept neither this nor the digest. */
  at: z.iso.datetime().optional(),
};

/** One line of it: an answer, or the error that came in place of one. */
const savedPage = z.union([
  z.object({
    ...request,
    status: z.int().min(100).max(999),
    headers: z.record(z.string(), z.string()),
    finalUrl: z.url(),
    file: z.string(),
    /** Digest of the file, in hexadecimal digits. */
    sha256: z.string().optional(),
  }),
  z.object({
    ...request,
    failure: z.object({ code: z.string().refine(isErrorCode), message: z.string() }),
  }),
]);

export type SavedPage = z.infer<typeof savedPage>;

const exactly = (text: string) => `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

/** A page that was kept, and whether a browser was given it. */
export interface SavedRoute {
  readonly browsed: boolean;
  readonly route: Route;
}

/** The condition of a route that answers this body of a request alone. */
export const exactBody = (body: string | null): string => exactly(decodedBody(body ?? ''));

function routeOf(line: string): SavedRoute {
  const { requestBody, by, at: _, ...route } = savedPage.parse(JSON.parse(line));
  return {
    browsed: by !== undefined,
    route: { ...route, requestBody: exactBody(requestBody) },
  };
}

/** The source as one whose pages run: what they asked for by themselves was kept. */
function asVisits(source: PageSource): PageSource {
  return {
    open: (site, signal) => ({ ...source.open(site, signal), runsPages: true }),
    close: () => source.close(),
  };
}

/** The source, with its own word for what only a browser's visit holds: the plain way leads on to that. */
function leadingOn(plain: PageSource, visited: ReadonlySet<string | undefined>): PageSource['open'] {
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
          throw new ExtractError('platform_blocked', 'The page was saved as a browser was given it alone.');
        }
      },
    };
  };
}

function readIndex(dir: string): string {
  try {
    return readFileSync(path.join(dir, indexName), 'utf8');
  } catch (cause) {
    throw new ExtractError(
      'invalid_parameter',
      `There are no saved pages in ${dir}: no ${indexName}. Keep some with --save-pages first.`,
      {
        cause,
      },
    );
  }
}

/**
 * A source that answers from pages saved earlier, without the network. Equal requests get the answers in order, the
 * last one again and again. Visits of a browser are answered without one, after the plain way as they were then. Throws
 * `invalid_parameter` for a directory without such pages.
 */
export function fromSavedPages(dir: string): PageSource {
  const lines = readIndex(dir).split('\n');
  const routes = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [routeOf(line)];
    } catch (cause) {
      const message = `Line ${index + 1} of ${path.join(dir, indexName)} is not a saved page.`;
      throw new ExtractError('invalid_parameter', message, { cause });
    }
  });
  return keptSource(dir, routes);
}

/** A source that answers from pages that were kept; visits are answered without a browser. */
export function keptSource(
  bodies: string | ReadBody,
  routes: readonly SavedRoute[],
  options: RouteOptions = {},
): PageSource {
  const [plain, visits] = [false, true].map((wanted) =>
    routes.filter(({ browsed }) => browsed === wanted).map(({ route }) => route),
  ) as [Route[], Route[]];
  const source = routeSource(bodies, plain, options);
  if (visits.length === 0) return source;
  const visited = asVisits(routeSource(bodies, visits, options));
  return {
    open: leadingOn(source, new Set(visits.map(({ url }) => url))),
    browser: { when: plain.length === 0 ? 'always' : 'refused', source: async () => visited },
    close: () => source.close(),
  };
}
