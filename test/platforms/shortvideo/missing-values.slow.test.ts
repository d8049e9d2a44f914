import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

type Node = Record<string, unknown>;

/** Every place of a tree that holds a value without parts, and every object and list of it, too. */
function places(tree: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (tree === null || typeof tree !== 'object') return [path];
  const below = Object.entries(tree).flatMap(([key, value]) => places(value, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

/** What may stand in a place instead; `undefined` takes it out. */
const instead = [
  undefined,
  null,
  '',
  '0',
  ' ',
  -1,
  0,
  1.5,
  1e21,
  true,
  [],
  {},
  [null],
  { a: [{}] },
  '\ud800',
  '9'.repeat(40),
];

function changed(json: string, pick: number, value: unknown): string {
  const tree = JSON.parse(json) as Node;
  const all = places(tree);
  const path = all[pick % all.length] ?? [];
  let holder: unknown = tree;
  for (const key of path.slice(0, -1)) holder = (holder as Node)[key];
  const last = path.at(-1) ?? '';
  if (value !== undefined) (holder as Node)[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Node)[last];
  return JSON.stringify(tree);
}

const block =
  /(<script id="__(?:UNIVERSAL_DATA_FOR_REHYDRATION|FRONTITY_CONNECT_STATE)__"[^>]*>)(.*?)(<\/script>)/s;

/** A page or an answer with another value in one place of its data. What has no data stays as it is. */
function spoilt(text: string, pick: number, value: unknown): string {
  if (text.startsWith('{')) return changed(text, pick, value);
  return text.replace(
    block,
    (_, open: string, json: string, close: string) => open + changed(json, pick, value) + close,
  );
}

const rows = endpoints.filter(({ platform }) => platform === 'shortvideo');
const samples = (
  await Promise.all(rows.map(async (endpoint) => (await casesOf(endpoint)).map((one) => ({ endpoint, one }))))
).flat();

/** An answer that holds the schema (the road checks that), or what the platform's page comes to. */
async function holds(
  endpoint: Endpoint,
  one: (typeof samples)[number]['one'],
  change: (text: string) => string,
) {
  const source = altered(routeSource(sampleFiles(endpoint.path), one.pages), change);
  try {
    await pagesOf(endpoint, one, source, 4);
  } catch (error) {
    const about = `${endpoint.path}, ${one.name}: ${error instanceof Error ? error.stack : String(error)}`;
    assert.ok(error instanceof ExtractError, about);
    assert.ok(['platform', 'not_found'].includes(error.type), about);
  }
}

test('whatever one place of any page holds, the outcome is an answer by the schema or the platform’s', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.nat(100_000),
      fc.constantFrom(...instead),
      ({ endpoint, one }, pick, value) => holds(endpoint, one, (text) => spoilt(text, pick, value)),
    ),
    { seed: 1604, numRuns: 800 },
  );
});

test('without any one place of its data, each rich sample is still answered or named', async () => {
  for (const endpoint of rows) {
    const [{ one } = { one: undefined }] = samples.filter((sample) => sample.endpoint === endpoint);
    assert.ok(one);
    for (let pick = 0; pick < 120; pick += 1)
      await holds(endpoint, one, (text) => spoilt(text, pick, undefined));
  }
});
