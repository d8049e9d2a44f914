import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { PronetworkPost } from '../../../lib/platforms/pronetwork/objects.js';
import { posts } from '../../../lib/platforms/pronetwork/posts.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered, type Knockout, type Knockouts } from '../../support/knockout.js';
import { withoutAttribute, withoutElements, withoutLd } from './markup.js';

const countOf = (html: string, test: string) =>
  html
    .replaceAll(/ data-num-(?:reactions|comments)="\d+"/g, (match) => (match.includes(test) ? '' : match))
    .replaceAll(new RegExp(`(data-test-id="social-actions__${test}"[^>]*>)\\s*[\\d,]+[^<]*`, 'g'), '$1');

/** Posts of a person, in tabs. The video post has its own page, from which the field is removed as well. */
const tabs: Knockouts = {
  text: (html) =>
    withoutLd(withoutElements(html, /<div[^>]*class="see-more-text/, /<p[^>]*__commentary"/), 'description'),
  images: {
    becomes: [],
    remove: (html) =>
      html.replaceAll(/<img class="object-contain" data-delayed-url="[^"]*feedshare-shrink[^>]*>/g, ''),
  },
  video: (html) =>
    withoutLd(
      html
        .replaceAll(/<span class="activity-video-play[\s\S]*?<\/span>/g, '')
        .replaceAll(/<img class="object-contain" data-delayed-url="[^"]*videocover[^>]*>/g, '')
        .replaceAll('data-test-id="feed-native-video-content"', '')
        .replaceAll(/data-sources="[^"]*"/g, ''),
      '@type',
    ),
  document: (html) => html.replaceAll(/data-native-document-config="[^"]*"/g, ''),
  article: {
    // Links that lead back to the post show its own content; without a picture that is none.
    remove: (html) =>
      html.replaceAll(
        /(profile-activity-content-card[^>]*><a class="base-card__full-link") href="[^"]*(?:\/pulse\/|\/redir\/)[^"]*"([\s\S]*?)<img[^>]*>/g,
        '$1$2',
      ),
  },
  reaction_count: (html) =>
    withoutLd(
      countOf(html, 'reactions').replaceAll(/(__reaction-count">)[^<]*/g, '$1'),
      'interactionStatistic',
    ),
  reaction_breakdown: (html) => withoutAttribute(html, /<img /, 'data-reaction-type'),
  comment_count: (html) =>
    withoutLd(countOf(html, 'comments'), 'commentCount').replaceAll(
      '<div class="social-action-bar',
      '<a data-test-id="social-actions__comments"></a><div class="social-action-bar',
    ),
};

/** Of a company: what a card says, and what the page of the post with twenty pictures says again. */
const cards: Knockouts = {
  text: (html) => withoutLd(withoutElements(html, /<p[^>]*__commentary"/), 'articleBody', 'text'),
  images: {
    becomes: [],
    remove: (html) => withoutLd(withoutElements(html, /<ul[^>]*data-test-id="feed-images-content"/), 'image'),
  },
  video: (html) =>
    html.replaceAll('data-test-id="feed-native-video-content"', '').replaceAll(/data-sources="[^"]*"/g, ''),
  document: (html) => html.replaceAll(/data-native-document-config="[^"]*"/g, ''),
  article: (html) =>
    html.replaceAll(
      /data-test-id="(?:article-content|ingested-content-summary-external-video-content)"/g,
      '',
    ),
  reaction_breakdown: (html) =>
    withoutAttribute(html, /<img /, 'data-reaction-type').replaceAll(
      /(main-feed-activity-card__social-actions">)(?=\s*<code)/g,
      '$1<a data-test-id="social-actions__reactions" data-num-reactions="0"></a>',
    ),
  comment_count: (html) =>
    withoutLd(countOf(html, 'comments'), 'commentCount', 'interactionStatistic').replaceAll(
      '<div class="social-action-bar',
      '<a data-test-id="social-actions__comments"></a><div class="social-action-bar',
    ),
};

/** Fragments, whose posts are requested by number and need no pages of their own. */
const fragments: Knockouts = {
  published_at: (html) =>
    html
      .replaceAll(/(data-(?:featured-)?activity-urn|data-attributed-urn)="[^"]*"/g, '$1=""')
      .replaceAll(/-activity-\d+-\w+/g, '-old'),
};

const endpoint = posts as Endpoint;
const cases = await casesOf(endpoint);

async function read(name: string, change: Knockout['remove'] = (html) => html): Promise<PronetworkPost[]> {
  const one = cases.find((each) => each.name === name) ?? assert.fail(name);
  const source = altered(routeSource(sampleFiles(endpoint.path), one.pages), change);
  const [data] = await pagesOf(endpoint, one, source, 1);
  return data as PronetworkPost[];
}

const person = 'a person in tabs';
const company = 'a company: posts of every kind, and more behind them';
const others = 'a company whose posts all come in fragments';
for (const [name, fields] of [
  [person, tabs],
  [company, cards],
  [others, fragments],
] as const) {
  for (const [field, stated] of Object.entries(fields)) {
    const { remove, becomes = null } = typeof stated === 'function' ? { remove: stated } : stated;
    test(`pronetwork/posts, ${name}: without ${field}`, async () => {
      const full = await read(name);
      assert.ok(full.some((post) => post[field as keyof PronetworkPost] !== null));
      assert.deepEqual(
        await read(name, remove),
        full.map((post) => ({ ...post, [field]: becomes })),
      );
    });
  }
}

test('pronetwork/posts: a knock-out is stated for every field that a page ever holds', async () => {
  const documented = Object.keys((endpoint.returns as z.ZodObject).shape).filter(
    (key) => key !== 'repost_count',
  );
  assert.deepEqual([...new Set([tabs, cards, fragments].flatMap(Object.keys))].sort(), documented.sort());
  for (const name of [person, company, others])
    assert.ok((await read(name)).every((post) => post.repost_count === null));
});

const parts: readonly [field: 'video' | 'document' | 'article', key: string, from: RegExp, to: string][] = [
  ['video', 'url', /data-sources="[^"]*"/g, 'data-sources="[{&quot;src&quot;:1}]"'],
  ['video', 'thumbnail_url', /data-poster-url="[^"]*"/g, ''],
  ['document', 'title', /&quot;title&quot;/g, '&quot;x&quot;'],
  ['document', 'url', /&quot;manifestUrl&quot;/g, '&quot;x&quot;'],
  ['document', 'page_count', /&quot;(?:totalPageCount|subtitle)&quot;/g, '&quot;x&quot;'],
  ['article', 'title', /data-test-id="[\w-]*(?:article-content__title|video-content__headings)"/g, ''],
  ['article', 'thumbnail_url', /<img[^>]*articleshare[^>]*>/g, ''],
];
for (const [field, key, from, to] of parts) {
  test(`pronetwork/posts, ${company}: ${field} without ${key}`, async () => {
    const full = await read(company);
    const without = (post: PronetworkPost) => (post[field] === null ? null : { ...post[field], [key]: null });
    assert.deepEqual(
      await read(company, (html) => html.replaceAll(from, to)),
      full.map((post) => ({ ...post, [field]: without(post) })),
    );
  });
}
