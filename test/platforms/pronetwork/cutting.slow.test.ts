import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { companySections } from '../../../lib/platforms/pronetwork/company-selectors.js';
import { jobPageSections, jobSections } from '../../../lib/platforms/pronetwork/job-selectors.js';
import {
  activitySections,
  feedFragment,
  feedSections,
  postSections,
} from '../../../lib/platforms/pronetwork/post-selectors.js';
import { profileSections } from '../../../lib/platforms/pronetwork/profile-selectors.js';
import { type CutTable, cut } from '../../../lib/read/html.js';
import { all, type Element, type Tree, treeOf, verbatim } from '../../../lib/read/html-tree.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';

type Table = CutTable<string>;
const full: Readonly<Record<string, Table>> = {
  profile: profileSections,
  company: companySections,
  activity: activitySections,
  feed: feedSections,
  post: postSections,
  jobs: jobSections,
  job: jobPageSections,
};

/** What the same selectors give on a tree of the whole page: outermost elements, without what is dropped. */
function onWhole(html: string, { keep, drop = [] }: Table): [key: string, element: Element][] {
  const whole = treeOf(html);
  const dropped = new Set(drop.flatMap((selector) => all(whole, selector)));
  for (const element of dropped) {
    const siblings = element.parent?.children;
    siblings?.splice(siblings.indexOf(element), 1);
  }
  const kept = new Map<Element, string>();
  for (const [key, selector] of Object.entries(keep)) {
    for (const element of all(whole, selector.replace(/=([^\]]+)\]/g, '="$1"]'))) {
      if (!kept.has(element)) kept.set(element, key);
    }
  }
  const isInside = (element: Element) => {
    for (let up = element.parent; up !== null; up = up.parent) if (kept.has(up as Element)) return true;
    return false;
  };
  return [...kept].filter(([element]) => !isInside(element)).map(([element, key]) => [key, element]);
}

/** Names, attributes and text of all that is in a tree. */
const contents = (trees: readonly Tree[]) =>
  trees.map((tree) => [all(tree, '*').map(({ name, attribs }) => [name, attribs]), verbatim(tree)]);

function holds(html: string, table: Table): void {
  const pieces = cut(html, table);
  const whole = onWhole(html, table);
  for (const key of Object.keys(table.keep)) {
    const expected = whole.filter(([own]) => own === key).map(([, element]) => element);
    const [found] = [(pieces[key] ?? []).map((piece) => treeOf(piece).children[0] as Element)];
    assert.deepEqual(
      found.map(({ name, attribs }) => [name, attribs]),
      expected.map(({ name, attribs }) => [name, attribs]),
      key,
    );
    assert.deepEqual(contents(found), contents(expected), key);
  }
}

const fixtures = path.join(packageRoot(), 'fixtures', 'pronetwork');
const pages = readdirSync(fixtures, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.html') && !name.includes('cut-off'));

describe('cutting gives what a tree of the whole page gives', () => {
  for (const name of pages) {
    test(name, () => {
      const html = readFileSync(path.join(fixtures, name), 'utf8');
      for (const table of Object.values(full)) holds(html, table);
      holds(html, feedFragment);
    });
  }

  const captures = path.join(packageRoot(), '..', 'shared', 'captures', 'pronetwork');
  const skip = existsSync(captures) ? false : 'the real captures are not beside this checkout';
  for (const name of skip ? [] : readdirSync(captures)) {
    test(`the real page ${name}`, () => {
      const html = readFileSync(path.join(captures, name), 'utf8');
      for (const table of Object.values(full)) holds(html, table);
    });
  }
  test('real pages', { skip }, () => assert.ok(readdirSync(captures).length > 0));
});
