import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { type Kind, kindOf } from '../../../lib/params/describe.js';
import { casesOf } from '../../../lib/samples.js';
import { testServer } from '../../support/server.js';

const server = await testServer();
const { secret } = await server.account({ credits: 1_000_000 });
const runs = { numRuns: 40 };

/** Values that the published type of a parameter allows, as text. */
function goodValues(kind: Kind): fc.Arbitrary<string> {
  if (kind.enum !== undefined) return fc.constantFrom(...kind.enum);
  switch (kind.type) {
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'integer':
      return fc.integer({ min: Number(kind.minimum), max: Number(kind.maximum) }).map(String);
    case 'number':
      return fc
        .double({ min: Number(kind.minimum), max: Number(kind.maximum), noNaN: true })
        .map((value) => value.toFixed(6));
    default:
      return kind.pattern === undefined
        ? fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => text.trim() !== '')
        : fc.stringMatching(/^[A-Za-z]{2}$/);
  }
}

/** Values that it does not allow; null where every text is one that it does. */
function badValues(kind: Kind): fc.Arbitrary<string> | null {
  if (kind.enum !== undefined) return fc.string().filter((text) => kind.enum?.includes(text) === false);
  switch (kind.type) {
    case 'boolean':
      return fc.string().filter((text) => text !== 'true' && text !== 'false');
    case 'integer':
    case 'number': {
      const [min, max] = [Number(kind.minimum), Number(kind.maximum)];
      return fc.oneof(
        fc.integer({ max: min - 1 }).map(String),
        fc.integer({ min: max + 1 }).map(String),
        fc.string().filter((text) => !/^[+-]?\d+(\.\d+)?$/.test(text)),
      );
    }
    default:
      return kind.pattern === undefined
        ? fc.constantFrom('', '   ')
        : fc.string().filter((text) => !/^[A-Za-z]{2}$/.test(text));
  }
}

function paramsOf(endpoint: Endpoint): [string, Kind][] {
  return Object.entries(endpoint.params).map(([name, schema]) => [name, kindOf(schema)]);
}

/** Requests that the description allows: identifying parameters from a sample, all others arbitrary. */
async function goodQuestions(endpoint: Endpoint): Promise<fc.Arbitrary<Record<string, string>>> {
  const identities = (await casesOf(endpoint)).map(({ params }) =>
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
  );
  const free = paramsOf(endpoint).filter(
    ([name]) => !['cursor', 'demo', 'fresh', ...(endpoint.exactlyOne ?? [])].includes(name),
  );
  const optional = free.filter(([name]) => endpoint.params[name]?.safeParse(undefined).success);
  const rest = fc.record(Object.fromEntries(optional.map(([name, kind]) => [name, goodValues(kind)])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Record<string, string>>;
  return fc.tuple(fc.constantFrom(...identities), rest).map(([identity, more]) => {
    const { lat, lng, ...others }: Record<string, string> = { ...identity, ...more };
    // One without the other is no place.
    return lat === undefined || lng === undefined ? others : { lat, lng, ...others };
  });
}

for (const endpoint of endpoints) {
  const url = (params: Readonly<Record<string, string>>) =>
    `/v1/${endpoint.path}?${new URLSearchParams(params)}`;

  describe(`GET /v1/${endpoint.path}, over what its description allows`, () => {
    test('good parameters are accepted', async () => {
      await fc.assert(
        fc.asyncProperty(await goodQuestions(endpoint), async (params) => {
          const { status, text } = await server.ask(url({ ...params, demo: 'true' }));
          // A sample may be about a page that is refused or not there. That is an answer to a good question.
          assert.ok([200, 404, 502].includes(status), `${url(params)}: ${text.slice(0, 300)}`);
        }),
        runs,
      );
    });

    test('one bad parameter among good ones is refused', async () => {
      const bad = paramsOf(endpoint).flatMap(([name, kind]) => {
        const values = name === 'cursor' ? fc.constantFrom('') : badValues(kind);
        return values === null ? [] : [values.map((value) => ({ [name]: value }))];
      });
      await fc.assert(
        fc.asyncProperty(await goodQuestions(endpoint), fc.oneof(...bad), async (good, wrong) => {
          const pair = endpoint.exactlyOne;
          const names = Object.keys(wrong);
          const rest = Object.entries(good).filter(
            ([name]) => !(pair?.includes(name) === true && pair.some((one) => names.includes(one))),
          );
          const { status, text } = await server.ask(url({ ...Object.fromEntries(rest), ...wrong }), secret);
          assert.equal(status, 400, `${url(wrong)}: ${text.slice(0, 300)}`);
        }),
        runs,
      );
    });

    test('no query string causes an internal error', async () => {
      const names = fc.oneof(fc.constantFrom(...Object.keys(endpoint.params)), fc.string());
      const values = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('%', '%zz', '%ff', '%00', '%ed%a0%80', '+', '&&', 'demo=true', '__proto__'),
        fc.webUrl(),
        fc.integer().map(String),
      );
      const safe = (text: string) =>
        text.includes('%') ? text.replaceAll(/[^\x21-\x7e]/g, '') : encodeURIComponent(text.toWellFormed());
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(names, values), { maxLength: 5 }), async (parts) => {
          const query = parts.map(([name, value]) => `${safe(name)}=${safe(value)}`).join('&');
          const { status, text } = await server.ask(`/v1/${endpoint.path}?${query}`, secret);
          assert.ok([200, 400, 404, 502].includes(status), `${query}: ${status} ${text.slice(0, 300)}`);
        }),
        runs,
      );
    });
  });
}
