import * as z from 'zod';
import type { Answer } from '../../lib/call/envelope.js';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { choice, number, pageUrl, text, twoLetters } from '../../lib/params/vocabulary.js';
import type { CommandExtractor } from '../../src/faces/cli/context.js';
import { aCoverage } from './coverage.js';
import { testSite } from './site.js';

const never = async (): Promise<never> => {
  throw new Error('nothing is read in these tests');
};

/** An object with every kind of field that the platforms' objects have. */
export const harbour = z
  .strictObject({
    name: z.string().describe('Name.'),
    berths: z.int().nullable().describe('Berths.'),
    location: z.strictObject({ lat: z.number(), lng: z.number() }).nullable().describe('Place.'),
    open: z.boolean().nullable().describe('Open.'),
    tags: z.array(z.string()).describe('Words.'),
    boats: z.array(z.strictObject({ name: z.string(), length: z.number().nullable() })).describe('Boats.'),
    page_url: z.string().nullable().describe('Address.'),
    note: z.string().nullable().describe('Text.'),
  })
  .meta({ id: 'maps_harbour' });

export type Harbour = z.output<typeof harbour>;

/** A list with pages, found by a query, with parameters of every kind. */
export const harbours = defineEndpoint({
  path: 'maps/harbours',
  operation: 'search_harbours',
  summary: 'Harbours by words',
  description: 'Read from nowhere.',
  credits: 3,
  cacheSeconds: 90,
  site: testSite({ platform: 'maps' }),
  params: () => ({
    query: text('What is looked for.'),
    lat: number(-90, 90, 'Latitude.').optional(),
    max_depth: number(0, 50, 'Depth in metres.').default(10),
    language: twoLetters('Language.').optional(),
    sort: choice(['near', 'large'], 'Order.').default('near'),
  }),
  renamed: { old_sort: 'sort' },
  page: { max: 3 },
  returns: harbour,
  many: true,
  identify: ({ query }) => ({ query: query ?? '' }),
  read: never,
}) as unknown as Endpoint;

/** One object, by an id or an address. */
export const harbourOne = defineEndpoint({
  path: 'maps/harbour',
  operation: 'get_harbour',
  summary: 'One harbour',
  description: 'Read from nowhere.',
  credits: 2,
  cacheSeconds: 7200,
  site: testSite({ platform: 'maps' }),
  params: () => ({ id: text('Id.'), url: pageUrl('Address.') }),
  exactlyOne: ['id', 'url'],
  returns: harbour,
  many: false,
  identify: ({ id, url }) => ({ id: id ?? url ?? '' }),
  read: never,
}) as unknown as Endpoint;

/** A list by one of two kinds of address, told apart only by `identify`. */
export const notes = defineEndpoint({
  path: 'pronetwork/notes',
  operation: 'get_notes',
  summary: 'Notes of a boat or a crew',
  description: 'Read from nowhere.',
  credits: 1,
  cacheSeconds: 60,
  site: testSite({ platform: 'pronetwork' }),
  params: () => ({ boat_url: pageUrl('Address of a boat.'), crew_url: pageUrl('Address of a crew.') }),
  exactlyOne: ['boat_url', 'crew_url'],
  page: { max: 5 },
  returns: z.strictObject({ text: z.string() }),
  many: true,
  identify({ boat_url, crew_url }) {
    const [kind, url] = boat_url === undefined ? ['crew', crew_url ?? ''] : ['boat', boat_url];
    if (!url.includes(`/${kind}/`)) throw new ExtractError('invalid_url');
    return { kind, url };
  },
  read: never,
}) as unknown as Endpoint;

export const inventedRows = [harbours, harbourOne, notes];

/** The meta of an answer with them. */
export const harbourMeta: Answer['meta'] = {
  request_id: 'req_x',
  credits_charged: 2,
  credits_remaining: 1,
  cached: false,
  fetched_at: '2026-11-05T00:00:00.000Z',
  next_cursor: null,
};

/** An invented harbour. */
export function aHarbour(over: Partial<Harbour> = {}): Harbour {
  return {
    name: 'Little Quay',
    berths: 12,
    location: { lat: -41.5, lng: 8.25 },
    open: true,
    tags: ['calm', 'deep'],
    boats: [{ name: 'Heron', length: 7.5 }],
    page_url: 'https://harbours.example/little-quay',
    note: null,
    ...over,
  };
}

/** The parts of a test's answer besides its data, and unusual values of its meta. */
type AnswerParts = Partial<Omit<Answer, 'json' | 'meta'>> & { readonly meta?: Partial<Answer['meta']> };

/** The platform's answer with these data. */
export const anAnswer = (data: unknown, { meta, ...parts }: AnswerParts = {}): Answer => ({
  source: 'platform',
  json: JSON.stringify(data),
  meta: { ...harbourMeta, ...meta },
  ...parts,
});

/** The sources of the items of a list, in its order. */
export const sourcesOf = (ids: readonly (string | null)[], more: (at: number) => object = () => ({})) =>
  JSON.stringify(
    ids.map((id, at) => ({
      ...{ id, url: null, author: null, position: at + 1, fetched_at: harbourMeta.fetched_at },
      ...more(at),
    })),
  );

/** A call to a scripted extractor. */
export interface ScriptedCall {
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The coverage of a page of a script. */
const scriptedCoverage = (pages: readonly unknown[], at: number) =>
  aCoverage({
    given: pages.slice(0, at + 1).flat().length,
    ended: at + 1 < pages.length ? 'more' : 'end',
    routes: [{ route: `page-${at}`, outcome: 'answered' }],
  });

/**
 * Answers from a list: `data` of one page after another, each under a cursor that leads to the next. An error in the
 * list is thrown instead of returned. `calls` records the calls.
 */
export function scripted(
  pages: readonly unknown[],
  calls: ScriptedCall[] = [],
): Pick<CommandExtractor, 'answer'> {
  return {
    async answer({ path, credits }, params): Promise<Answer> {
      const at = typeof params.cursor === 'string' ? Number(params.cursor.replace('cursor-', '')) : 0;
      calls.push({ path, params });
      const data = pages[at];
      if (data instanceof Error) throw data;
      return anAnswer(data, {
        coverage: scriptedCoverage(pages, at),
        meta: {
          request_id: `req_${at}`,
          credits_charged: credits,
          credits_remaining: 50_000 - credits * calls.length,
          next_cursor: at + 1 < pages.length ? `cursor-${at + 1}` : null,
        },
      });
    },
  };
}
