import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { paths } from '../../lib/client/paths.js';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { bare, bareWith, buildDeclarations, complaints, emptyProject } from '../support/type-declarations.js';

const declarations = buildDeclarations();
const project = emptyProject(declarations);
const entries = {
  index: 'public-extract',
  client: 'public-extract/client',
  webhook: 'public-extract/webhook',
};

/** Every name that an entry exports, passed on by that name: what does not resolve is refused. */
function everyExport(): string {
  const files = Object.keys(entries).map((name) => path.join(declarations, `${name}.d.ts`));
  const program = ts.createProgram(files, bare);
  const checker = program.getTypeChecker();
  return Object.entries(entries)
    .map(([name, specifier], index) => {
      const source = program.getSourceFile(files[index] ?? '');
      const module = source && checker.getSymbolAtLocation(source);
      assert.ok(module, name);
      const names = checker.getExportsOfModule(module).map((one) => `${one.name} as ${name}_${one.name}`);
      assert.ok(names.length > 1, name);
      return `export { ${names.join(', ')} } from '${specifier}';`;
    })
    .join('\n');
}

/** A call of every function, of the library and of a client, with the parameters of its sample. */
async function everyCall(): Promise<string> {
  const calls = await Promise.all(
    Object.entries(paths).map(async ([name, endpointPath]) => {
      const endpoint = endpoints.find((one) => one.path === endpointPath);
      assert.ok(endpoint);
      const [sample] = await casesOf(endpoint);
      const params = JSON.stringify(sample?.params);
      return [
        `export const ${name}Data = (await library.${name}(${params}, { signal })).data;`,
        `export const ${name}Same: typeof ${name}Data = (await client.${name}(${params}, { signal })).data;`,
        `export const ${name}Line = library.batch(library.${name}, [${params}]);`,
      ].join('\n');
    }),
  );
  return `
import * as library from 'public-extract';
import { createClient } from 'public-extract/client';
declare const signal: library.CallSignal;
const client = createClient({ baseUrl: 'https://extract.example', apiKey: 'xt_live_invented' });
${calls.join('\n')}`;
}

/** Holds by compiling; each line under @ts-expect-error is refused. */
const usage = `
import {
  type Config, createExtractor, type ErrorCode, ExtractError, getPlace, getPlaceReviews, mapsPlace, type MapsPlace,
  paginate, type Platform, RateLimitError, verifyWebhook,
} from 'public-extract';
import { type Client, type ClientOptions, createClient, type Fetch } from 'public-extract/client';
import { verifyWebhook as alone } from 'public-extract/webhook';
const config: Partial<Config> = { home: './x', paceMs: { shortvideo: 0 } };
const extractor = createExtractor(config);
export const { data, meta } = await extractor.getPlace({ place_id: 'ChIJ', url: undefined });
export const name: string = data.name;
export const next: string | null = meta.next_cursor;
for await (const page of paginate(getPlaceReviews, { url: 'x', limit: 3 })) page.data[0]?.author.name.length;
export const place: MapsPlace = mapsPlace.parse({});
export const codeOf = (error: ExtractError): ErrorCode => error.code;
export const platform: Platform = getPlace.endpoint.platform;
export const verified: boolean[] = [verifyWebhook, alone].map((verify) =>
  verify({ body: new Uint8Array(), signature: null, secret: '' }));
const own: Fetch = async (url, { headers, signal }) => ({
  status: signal.aborted ? 0 : 200,
  headers: { get: (name) => headers[name] ?? null },
  text: async () => url,
});
const options: ClientOptions = { baseUrl: 'https://extract.example', fetch: own };
export const client: Client = createClient(options);
for await (const page of paginate(client.getPlaceReviews, { place_id: 'x' })) page.data[0]?.rating.toFixed();
// @ts-expect-error both of an “exactly one of” pair
await getPlace({ place_id: 'a', url: 'b' });
// @ts-expect-error neither of the pair
await client.getPlace({});
// @ts-expect-error a parameter that does not exist
await getPlace({ place_id: 'a', colour: 'red' });
// @ts-expect-error a parameter of another type
await getPlace({ place_id: 5 });
// @ts-expect-error a field that does not exist
data.colour;
const { sources } = await getPlace({ place_id: 'x', sources: true });
export const url: string | null | undefined = sources[0]?.url;
// @ts-expect-error sources that were not asked for
(await getPlace({ place_id: 'x' })).sources[0];
// @ts-expect-error a misspelled parameter of a listing
paginate(getPlaceReviews, { plase_id: 'x' });
for await (const page of paginate(getPlaceReviews, { place_id: 'x', sources: true })) page.sources.length;
for await (const review of paginate(getPlaceReviews, { place_id: 'x' }).items()) review.rating.toFixed();
export const limit = (error: unknown): 'rate_limited' | null =>
  error instanceof RateLimitError ? error.code : null;
`;

describe('a strict project without @types/node', () => {
  test('finds no package and nothing of a runtime in the declarations', () => {
    for (const name of readdirSync(declarations)) {
      const text = readFileSync(path.join(declarations, name), 'utf8');
      const { importedFiles, typeReferenceDirectives, libReferenceDirectives } = ts.preProcessFile(text);
      const foreign = importedFiles.map(({ fileName }) => fileName).filter((one) => !one.startsWith('./'));
      assert.deepEqual([...foreign, ...typeReferenceDirectives, ...libReferenceDirectives], [], name);
    }
  });

  test('compiles against every export and every function, as Node.js and as bundlers resolve', async () => {
    writeFileSync(path.join(project, 'exports.ts'), everyExport());
    writeFileSync(path.join(project, 'calls.ts'), await everyCall());
    writeFileSync(path.join(project, 'usage.ts'), usage);
    const files = ['exports.ts', 'calls.ts', 'usage.ts'];
    assert.deepEqual(complaints(project, files), []);
    const bundler = bareWith({ module: 'esnext', moduleResolution: 'bundler' });
    assert.deepEqual(complaints(project, files, bundler), []);
  });
});
