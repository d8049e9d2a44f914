// The sources of each endpoint's sample, asked for at every face: all give the same.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { parse } from 'csv-parse/sync';
import { readConfig } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import type { ItemSource } from '../../lib/read/item-source.js';
import { sampleParamsOf } from '../../lib/samples.js';
import { openServices } from '../../lib/services.js';
import { ownBackend } from '../../src/faces/mcp/backend.js';
import { MemoryAnswers } from '../../src/faces/mcp/memory-answers.js';
import { demoAccess } from '../../src/faces/mcp/tool-access.js';
import { createToolServer } from '../../src/faces/mcp/tool-server.js';
import { answered } from '../faces/mcp/call-tool.js';
import { extract } from '../support/cli.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openService } from './service.js';

type Sources = readonly ItemSource[];
type Params = Readonly<Record<string, unknown>>;

const folder = temporaryFolder();
const library = createExtractor({ home: temporaryFolder() });
const service = await openService(() => undefined);

const { protocol } = createToolServer(demoAccess, {
  backend: ownBackend(openServices(readConfig({ home: temporaryFolder() }, {}))),
  docsBase: 'http://localhost',
  recentAnswers: new MemoryAnswers(new FakeClock()),
  closing: new AbortController().signal,
  onFault: (id, cause) => assert.fail(`${id}: ${cause}`),
});
const tools = new Client({ name: 'test', version: '1' });
const [here, there] = InMemoryTransport.createLinkedPair();
await protocol.connect(there);
await tools.connect(here);

/** How each face is asked for the sources of a sample. */
const faces: Readonly<Record<string, (endpoint: Endpoint, params: Params) => Promise<Sources>>> = {
  async library(endpoint, params) {
    const { sources } = await library.answer(endpoint, { ...params, sources: true });
    return JSON.parse(sources ?? '[]');
  },
  async server({ path: name }, params) {
    const query = new URLSearchParams({ sources: 'true' });
    for (const [key, value] of Object.entries(params)) query.set(key, String(value));
    const answer = await fetch(`${service.url}/v1/${name}?${query}`);
    return ((await answer.json()) as { sources: Sources }).sources;
  },
  async job({ path: name }, params) {
    const { job } = await service.schedule({ endpoint: name, inputs: [params], sources: true });
    return ((await service.linesOf(job)) as readonly { sources: Sources }[])[0]?.sources ?? [];
  },
  async tool({ operation }, params) {
    const { sources } = (await answered(tools, operation, { ...params, sources: true })) as {
      sources?: Sources;
    };
    return sources ?? [];
  },
  async command({ path: name }, params) {
    const input = path.join(folder, 'one.ndjson');
    writeFileSync(input, JSON.stringify(params));
    const { out, err, status } = await extract(['batch', name, input, '--sources']);
    assert.equal(status, 0, err);
    return JSON.parse(out).sources;
  },
};

/** What is the same at each reading. */
const lasting = (sources: Sources) => sources.map(({ fetched_at: _, ...rest }) => rest);

describe('the sources of an answer', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: are the same at every face, and in the columns of a file`, async () => {
      // A tool shows few items of a list unless it is asked for so many.
      const limit = endpoint.many ? { limit: 3 } : {};
      const params = { ...(await sampleParamsOf(endpoint)), ...limit, demo: true };
      const wanted = lasting((await faces.library?.(endpoint, params)) ?? []);
      assert.ok(wanted.length > 0);
      for (const [face, ask] of Object.entries(faces))
        assert.deepEqual(lasting(await ask(endpoint, params)), wanted, face);
      const file = path.join(folder, `${endpoint.operation}.csv`);
      await extract(['batch', endpoint.path, path.join(folder, 'one.ndjson'), '-o', file]);
      const rows = parse(readFileSync(file, 'utf8'), { columns: true }) as Record<string, string>[];
      assert.deepEqual(
        rows.map((row) => [row.source_url, row.author_name, row.position, row.input_index]),
        wanted.map(({ url, author, position }) => [url ?? '', author?.name ?? '', String(position), '0']),
      );
    });
  }
});
