import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type * as z from 'zod';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { pagesOf } from '../support/cases.js';

type Item = Readonly<Record<string, unknown>>;

/** What a route gave: one object, a part of a list, or nothing (a witness). */
type Answer = { readonly data?: Item; readonly items?: readonly { readonly item: Item }[] } | undefined;
type Reader = { read: (context: unknown) => Promise<Answer> };

const itemsOf = (answer: Answer): readonly Item[] =>
  answer?.data !== undefined ? [answer.data] : (answer?.items ?? []).map(({ item }) => item);

const isNull = (value: unknown) => value === null || value === undefined;

for (const endpoint of endpoints.filter(({ routes }) => routes.length > 0)) {
  describe(`the routes of ${endpoint.path} fill what they say`, async () => {
    const itemsByRoute = new Map(endpoint.routes.map((route) => [route, [] as Item[]]));
    for (const [route, items] of itemsByRoute) {
      const reader = route as unknown as Reader;
      const readRoute = reader.read.bind(reader);
      reader.read = async (context) => {
        const answer = await readRoute(context);
        items.push(...itemsOf(answer));
        return answer;
      };
    }
    for (const one of await casesOf(endpoint)) await pagesOf(endpoint, one).catch(() => undefined);

    const fields = Object.keys((endpoint.returns as z.ZodObject).shape);
    for (const [{ name, fills = {} }, items] of itemsByRoute) {
      const [never, filled] = [true, false].map((isNever) =>
        fields.filter((field) => (fills[field] === 'never') === isNever),
      ) as [string[], string[]];

      test(`${name}: names fields of the object alone`, () => {
        assert.deepEqual(
          Object.keys(fills).filter((field) => !fields.includes(field)),
          [],
        );
      });

      test(`${name}: never holds ${never.join(', ') || 'nothing'}`, () => {
        const wrong = never.filter((field) => items.some((item) => !isNull(item[field])));
        assert.deepEqual(wrong, []);
      });

      // Witnesses, and places that only prove that there is none, give no items.
      if (items.length === 0) continue;
      test(`${name}: holds all other fields in one of its ${items.length} items at least`, () => {
        const missing = filled.filter(
          (field) => fills[field] !== 'some' && items.every((item) => isNull(item[field])),
        );
        assert.deepEqual(missing, []);
      });
    }
  });
}
