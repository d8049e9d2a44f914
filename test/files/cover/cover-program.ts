// `extract maps cover` over a town of the tests' own, in a process that can be killed. One JSON argument says where.
import * as z from 'zod';
import { defineEndpoint, type Endpoint } from '../../../lib/endpoint.js';
import { createExtractor } from '../../../lib/extractor.js';
import { integer, number, text } from '../../../lib/params/vocabulary.js';
import type { Json } from '../../../lib/read/json.js';
import type { OutputStream } from '../../../src/faces/cli/context.js';
import { runCoverCommand } from '../../../src/faces/cli/cover/run-cover.js';
import { boxArea } from '../../../src/files/cover/area.js';
import { gridOf, parseBox } from '../../../src/files/cover/cells.js';
import { testSite } from '../../support/site.js';
import { bbox } from './town.js';

interface CoverPlan {
  readonly origin: string;
  readonly home: string;
  readonly output: string;
}

const { origin, home, output } = JSON.parse(process.argv[2] ?? '') as CoverPlan;

const endpoint = defineEndpoint({
  path: 'maps/places',
  operation: 'search_places',
  summary: 'Places of the town',
  description: 'Places of the town.',
  credits: 3,
  cacheSeconds: 3600,
  site: testSite({ platform: 'maps' }),
  params: () => ({
    query: text('Words.'),
    lat: number(-90, 90, 'Latitude.'),
    lng: number(-180, 180, 'Longitude.'),
    radius_m: integer(100, 50_000, 'Metres.'),
  }),
  page: { max: 20 },
  returns: z.strictObject({
    place_id: z.string(),
    name: z.string(),
    location: z.strictObject({ lat: z.number(), lng: z.number() }),
  }),
  many: true,
  identify: ({ query, lat, lng, radius_m }) => ({ query, lat, lng, radius_m }) as Record<string, Json>,
  async read({ identity, position, session }) {
    const query = new URLSearchParams({
      ...(identity as Record<string, string>),
      from: String(position ?? 0),
    });
    const page = await session.fetch({ url: `${origin}/?${query}` });
    const { rows, next } = JSON.parse(page.body.toString()) as {
      rows: { place_id: string; name: string; location: { lat: number; lng: number } }[];
      next: number | null;
    };
    return {
      data: rows,
      sources: [],
      ids: rows.map(({ place_id }) => place_id),
      next,
      emptyProof: { none: true },
    };
  },
}) as unknown as Endpoint;

const stream = (write: (text: string) => void): OutputStream => ({
  isTTY: false,
  columns: undefined,
  write: async (text) => write(text),
});
const box = parseBox(bbox);
await runCoverCommand(
  {
    endpoints: [endpoint],
    stdin: () => {
      throw new Error('nothing is read');
    },
    askSecret: async () => '',
    stdout: stream((text) => process.stdout.write(text)),
    stderr: stream((text) => process.stdout.write(text)),
    settings: {
      color: false,
      movesCursor: true,
      debug: false,
      updateNotice: false,
      docsUrl: 'https://docs.example',
      extraCaCerts: undefined,
    },
    signal: new AbortController().signal,
    openExtractor: async () =>
      createExtractor({ home, cache: false, paceMs: { maps: 0 }, concurrency: { maps: 4 } }),
  },
  {
    ...{ endpoint, params: { query: 'cafe' }, output, inputs: false },
    ...({ outputFormat: 'ndjson', append: false, sources: false, all: true, flatten: true } as const),
    ...{ steps: {}, defaults: {} },
    ...{ mode: 'resume', limitCredits: undefined, dryRun: false, quiet: false, color: false, json: false },
  },
  async () => ({ area: boxArea(box), cells: gridOf(box, 1000), lookedUp: undefined }),
  'go on',
);
