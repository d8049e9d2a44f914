import path from 'node:path';
import * as z from 'zod';
import type { CallClient } from '../../lib/batch/run-batch.js';
import type { CacheStore } from '../../lib/cache/cache.js';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import { call, type Services } from '../../lib/call/call.js';
import { readConfig } from '../../lib/config.js';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { text } from '../../lib/params/vocabulary.js';
import type { Json } from '../../lib/read/json.js';
import type { ReadResult } from '../../lib/routes/reading.js';
import { newRequestId } from '../../lib/runtime/request-id.js';
import { routeSource } from '../../lib/web/routes.js';
import { testSite } from './site.js';

/** The inputs of a test's answer: the requested name, the position in its list, and the signal that ends the call. */
interface Question {
  readonly name: string;
  readonly position: Json;
}

export type Reads = (question: Question) => Promise<ReadResult<unknown>>;

/** An object by its name, at 3 credits. */
export function thingEndpoint(readThing: Reads): Endpoint {
  return defineEndpoint({
    path: 'maps/thing',
    operation: 'get_thing',
    summary: 'A thing',
    description: 'A thing.',
    credits: 3,
    cacheSeconds: 600,
    site: testSite({ platform: 'maps' }),
    params: () => ({ name: text('Name.'), size: z.int().min(1).max(9).optional().describe('Its size.') }),
    renamed: { title: 'name' },
    returns: z.strictObject({ name: z.string(), note: z.string().nullable() }),
    many: false,
    identify: ({ name }) => ({ name: name ?? '' }),
    read: ({ identity, position }) => readThing({ name: identity.name, position }) as never,
  }) as unknown as Endpoint;
}

/** A list of things with pages, at 2 credits each. */
export function thingsEndpoint(readThings: Reads): Endpoint {
  return defineEndpoint({
    path: 'maps/things',
    operation: 'get_things',
    summary: 'Things',
    description: 'Things.',
    credits: 2,
    cacheSeconds: 600,
    site: testSite({ platform: 'maps' }),
    params: () => ({ name: text('Whose.') }),
    page: { max: 5 },
    returns: z.strictObject({ name: z.string() }),
    many: true,
    identify: ({ name }) => ({ name: name ?? '' }),
    read: ({ identity, position }) => readThings({ name: identity.name, position }) as never,
  }) as unknown as Endpoint;
}

/** A client over the real call path, ledger and cache in a folder. Only the pages are scripted. */
export interface TestClient extends CallClient {
  readonly books: Ledger;
  cache(): Promise<CacheStore>;
  close(): Promise<void>;
}

export function testClient(folder: string, { cooldownMs = 60_000 } = {}): TestClient {
  const config = readConfig({ home: folder, cooldownMs, docsUrl: 'https://docs.test' }, {});
  const books = openLedger(path.join(folder, 'ledger.db'));
  const cache = openCache({ file: path.join(folder, 'cache.db'), memoryBytes: 1_000_000 });
  const services: Services = {
    clock: { now: () => Date.now(), sleep: async () => undefined, alarm: () => () => undefined },
    docsBase: config.docsUrl,
    deadlineMs: 5000,
    flights: new SingleFlight(),
    ledger: books,
    cache,
    pages: async () => routeSource(folder, [{ pattern: '.', body: '' }]),
    sample: async () => ({ identity: { name: 'sample' }, pages: routeSource(folder, []) }),
    secret: async () => Buffer.alloc(32, 1),
  };
  return {
    config,
    books,
    ledger: async () => books,
    cache: async () => cache,
    answer: (endpoint, params, options) =>
      call(
        endpoint,
        params,
        services,
        {
          requestId: options?.resumes ?? newRequestId(),
          account: 'local',
          resumes: options?.resumes !== undefined,
        },
        options,
      ),
    async close() {
      await cache.close();
      await books.close();
    },
  };
}
