import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseCallRequest } from '../../lib/call/call-request.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { bare, kindOf } from '../../lib/params/describe.js';
import { casesOf } from '../../lib/samples.js';
import type { PageRequest, PageSession } from '../../lib/web/page-source.js';

const stop = new Error('the page is not fetched');

/** Returns the first request of a call with these parameters; null if they are refused or need none. */
async function firstRequest(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
): Promise<PageRequest | null> {
  let first: PageRequest | null = null;
  const session: PageSession = {
    async fetch(request) {
      first ??= request;
      throw stop;
    },
    cookie: () => null,
    end: () => undefined,
  };
  try {
    const { identity, limit } = parseCallRequest(endpoint, params);
    await endpoint.read({ identity, limit, position: null, session });
  } catch (error) {
    if (error !== stop) assert.ok(error instanceof ExtractError, String((error as Error).stack));
    if (error instanceof ExtractError) assert.notEqual(error.code, 'internal_error');
  }
  return first;
}

/** Returns the request's target without parameter values: host, path length, first path segment, query names. */
function shapeOf({ url, method = 'GET' }: PageRequest) {
  const { protocol, host, username, password, pathname, searchParams, hash } = new URL(url);
  const parts = pathname.split('/');
  return [method, protocol, host, username, password, hash, parts.length, ...searchParams.keys()];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u0020\u007f-\u009f\\]|%(?:0\d|0[a-f]|1\d|1[a-f]|7f|c2%[89])/i;

/** What no address may hold: a step up or along, a character of control, raw or encoded. */
function assertClean({ url }: PageRequest, value: string): void {
  const what = `${JSON.stringify(value)} became ${url}`;
  assert.doesNotMatch(url, forbidden, what);
  const [, path = ''] = /^https:\/\/[^/]+([^?#]*)/.exec(url) ?? [];
  for (const part of path.split('/')) assert.doesNotMatch(part, /^(?:\.|%2e)+$/i, what);
  // The only character that URL encodes differently.
  const read = (address: string) => address.replaceAll('%27', "'");
  assert.equal(read(new URL(url).href), read(url), what);
}

const words =
  '. .. ... @.. #.. @. ../.. ..\\.. %2e%2e %2e .%2e ..; a%00b a%0d%0ab a/../b a/b / //evil.example a?b=c a&b=c a#b a@evil.example a:b é 日本 😀 % %zz %ff " \' <b> constructor __proto__';
const fixed = [
  ...words.split(' '),
  ...['. .', 'a b', '..\u200b', 'a\u0000b', '\u0000', 'a\u001b[31m', 'a\u007f', 'a\u0085b', 'a\u009fb'],
  ...['a\rb', 'a\nb', 'a\tb', '\ud800', 'a\udfff', 'a\u2028b', 'a\u202eb', '\ufeffa'],
];
const nasty = fc.oneof(
  fc.constantFrom(...fixed),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', '@', '#', '?', '&', '\0', '\n', 'a', '\u0001'),
    maxLength: 12,
  }),
  fc.stringMatching(/^[a-z0-9._]{1,8}$/),
);

const isText = (endpoint: Endpoint, name: string) =>
  kindOf(bare(endpoint.params[name] as never)).type === 'string';
const paramsOf = (endpoint: Endpoint) =>
  Object.keys(endpoint.params).filter((name) => name !== 'cursor' && isText(endpoint, name));

describe('user input never changes the requested address', () => {
  for (const endpoint of endpoints) {
    for (const name of paramsOf(endpoint)) {
      test(`${endpoint.path}, ${name}`, async () => {
        const cases = await casesOf(endpoint);
        const [sample] = cases;
        const others = Object.fromEntries(
          Object.entries(sample?.params ?? {}).filter(([one]) => endpoint.exactlyOne?.includes(one) !== true),
        );
        const isUrl = name === 'url' || name.endsWith('_url');
        const values = cases.flatMap(({ params }) =>
          typeof params[name] === 'string' ? [params[name]] : [],
        );
        const [example] = values;
        // A word and a phrase, or a name and a number, may lead to different addresses.
        const shapes = new Set<string>();
        for (const value of isUrl ? [] : values) {
          const request = await firstRequest(endpoint, { ...others, [name]: value });
          if (request !== null) shapes.add(JSON.stringify(shapeOf(request)));
        }
        const check = async (value: string) => {
          const request = await firstRequest(endpoint, { ...others, [name]: value });
          if (request === null) return;
          assertClean(request, value);
          const isUsual = shapes.size === 0 || shapes.has(JSON.stringify(shapeOf(request)));
          assert.ok(isUsual, `${JSON.stringify(value)}: ${request.url}`);
        };
        for (const value of fixed) await check(value);
        await fc.assert(fc.asyncProperty(nasty, check), { numRuns: 150, seed: 8 });
        if (!isUrl || typeof example !== 'string') return;
        // Addresses of the right form with something else in the place of the name.
        const last = example.replace(/\/+$/, '').lastIndexOf('/') + 1;
        for (const ending of fixed) await check(`${example.slice(0, last)}${ending}`);
        await fc.assert(
          fc.asyncProperty(nasty, (ending) => check(`${example.slice(0, last)}${ending}/`)),
          { numRuns: 100, seed: 8 },
        );
      });
    }
  }
});
