import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as z from 'zod';
import type { Endpoint } from '../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import type { Json } from '../../lib/read/json.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf } from '../../lib/samples.js';
import { page } from '../../lib/web/page.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { pagesOf } from './cases.js';

/** How one field of an object is removed from the pages of a case. */
export interface Knockout {
  /** Returns the page's text without any source of the field, and text of other pages unchanged. */
  remove(text: string, url: string): string;
  /** The field's absence must be `platform_changed`; otherwise only this field may change. */
  readonly mandatory?: boolean;
  /** The value of the field afterwards; null by default. */
  readonly becomes?: Json;
  /** True if something else proves that an item's list is empty. */
  readonly keepsEmpty?: boolean;
  /** Fields that are read from the same source, and their new values. */
  readonly also?: Readonly<Record<string, Json>>;
}

/** Knock-outs by field; a function is short for `{ remove }`. */
export type Knockouts = Readonly<Record<string, Knockout | Knockout['remove']>>;

interface KnockoutOptions {
  /** Fields that the route of the case lacks. */
  readonly never?: readonly string[];
  /** The error for a missing mandatory field: the first route's, if a later one reads the case. */
  readonly code?: ErrorCode;
}

/** A source whose pages pass through `change` on their way. */
export function altered(source: PageSource, change: (text: string, url: string) => string): PageSource {
  return {
    open(site, signal) {
      const visit = source.open(site, signal);
      return {
        ...visit,
        cookie: (url, name) => visit.cookie(url, name),
        async fetch(request) {
          const answer = await visit.fetch(request);
          const { 'content-type': _, ...headers } = answer.headers;
          return page(answer.url, answer.status, headers, Buffer.from(change(answer.text(), answer.url)));
        },
      };
    },
    close: () => source.close(),
  };
}

/** Returns JSON text without the values at some paths; `*` matches every item or key. */
export function withoutPaths(json: string, ...paths: readonly (readonly (string | number)[])[]): string {
  const tree: unknown = JSON.parse(json);
  const drop = (node: unknown, path: readonly (string | number)[]): void => {
    const [step, ...rest] = path;
    if (step === undefined || node === null || typeof node !== 'object') return;
    for (const key of step === '*' ? Object.keys(node) : [String(step)]) {
      if (!Object.hasOwn(node, key)) continue;
      const holder = node as Record<string, unknown>;
      if (rest.length > 0) drop(holder[key], rest);
      else if (Array.isArray(node)) holder[key] = null;
      else delete holder[key];
    }
  };
  for (const path of paths) drop(tree, path);
  return JSON.stringify(tree);
}

type Item = Record<string, Json>;

function within(item: Item, field: string, becomes: Json, keepsEmpty: boolean): Item {
  const [head = '', ...rest] = field.split('.');
  const value = item[head] ?? null;
  const isKept = keepsEmpty && Array.isArray(value) && value.length === 0;
  if (rest.length === 0) return { ...item, [head]: value === null || isKept ? value : becomes };
  if (value === null) return item;
  return { ...item, [head]: within(value as Item, rest.join('.'), becomes, keepsEmpty) };
}

function valueAt(item: Item, field: string): Json {
  return field
    .split('.')
    .reduce<Json>((node, key) => (node === null ? null : ((node as Item)[key] ?? null)), item);
}

/**
 * Knocks every documented field out of one case's pages in turn. An optional field becomes null (or the given value)
 * and nothing else changes; without a mandatory one the answer is `platform_changed`. The first page of the answer is
 * compared. Fields of inner objects are named with dots and are extra.
 */
export async function knockOut(
  endpoint: Endpoint,
  name: string,
  knockouts: Knockouts,
  { never = [], code = 'platform_changed' }: KnockoutOptions = {},
): Promise<void> {
  const one = (await casesOf(endpoint)).find((each) => each.name === name);
  assert.ok(one, `${endpoint.path} has no case ${name}`);
  const source = () => routeSource(sampleFiles(endpoint.path), one.pages);
  const first = async (pages: PageSource) => {
    const [data] = await pagesOf(endpoint, one, pages, 1);
    return (Array.isArray(data) ? data : [data]) as Item[];
  };

  test(`${endpoint.path}, ${name}: a knock-out is stated for every documented field`, () => {
    const documented = Object.keys((endpoint.returns as z.ZodObject).shape);
    const stated = Object.keys(knockouts).filter((field) => !field.includes('.'));
    assert.deepEqual([...stated, ...never].sort(), documented.sort());
  });

  for (const [field, stated] of Object.entries(knockouts)) {
    const knockout: Knockout = typeof stated === 'function' ? { remove: stated } : stated;
    const { remove, mandatory = false, becomes = null, keepsEmpty = false, also = {} } = knockout;
    const changed = Object.entries({ [field]: becomes, ...also });
    test(`${endpoint.path}, ${name}: without ${field}`, async () => {
      const full = await first(source());
      assert.ok(
        full.some((item) => valueAt(item, field) !== null),
        `${field} is null already`,
      );
      let touched = false;
      const without = altered(source(), (text, url) => {
        const altered = remove(text, url);
        touched ||= altered !== text;
        return altered;
      });
      if (mandatory) {
        await assert.rejects(first(without), (error) => {
          assert.ok(error instanceof ExtractError, String(error));
          assert.equal(error.code, code, error.message);
          return true;
        });
      } else {
        assert.deepEqual(
          await first(without),
          full.map((item) =>
            changed.reduce((item, [name, value]) => within(item, name, value, keepsEmpty), item),
          ),
        );
      }
      assert.ok(touched, `nothing was removed for ${field}`);
    });
  }
}
