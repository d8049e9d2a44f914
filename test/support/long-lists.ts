import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shortcodeOfId } from '../../lib/platforms/photosocial/shortcode.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import type { Answers, SiteAnswer } from './browser-site.js';
import { type ListPage, listPage } from './list-page.js';

// Long lists of invented items for three platforms, on pages that request them as the real pages do.

const fixture = (name: string) => readFileSync(path.join(packageRoot(), 'fixtures', name), 'utf8');
const data = (body: string): SiteAnswer => ({ headers: { 'content-type': 'application/json' }, body });
const guard = ")]}'\n";
const count = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const withoutGuard = (body: string) => JSON.parse(body.slice(body.indexOf(guard.trim()) + 4));

const placesAPage = 20;
/** The query of the places. */
export const placesQuery = 'bakery in Graz';

/** The part of an answer in the state of a Maps page. */
const stateWith = (body: string) =>
  `<script>window.APP_INITIALIZATION_STATE=[null,[],null,[null,null,${JSON.stringify(`${guard}[["asked"]]`)},null,null,null,${JSON.stringify(body)}]];window.APP_FLAGS=[];</script>`;

/** The page of the first sample's place, which requests nothing. Its state holds all there is. */
export function placePageSite(): Answers {
  const body = latin1(fixture('maps/place/rich.json'));
  return ({ path: at }) =>
    at.startsWith('/maps/place')
      ? { body: `<!doctype html><title>Maps</title>${stateWith(body)}` }
      : undefined;
}

const mapRoot = withoutGuard(fixture('maps/places/bakeries-1.json'));

/** The row of a search for the invented place with a number. */
function placeRow(at: number): unknown {
  const [head, node] = mapRoot[64][0] as [unknown, unknown[]];
  const row = [...node];
  row[10] = `0x476e35ba00000000:0x${(at + 1).toString(16)}`;
  row[11] = `Bakery ${at}`;
  row[78] = row[227] = null;
  return [head, row];
}

/** A part of the answer to a search. */
const placesPart = (rows: readonly unknown[]) =>
  latin1(guard + JSON.stringify(Object.assign([...mapRoot], { 64: rows })));

/**
 * A search for places, with its results in a scrolling element. `holds`: the page's state includes the places that it
 * shows before scrolling.
 */
export function placesSite(places: number, how: ListPage & { readonly holds?: boolean } = {}): Answers {
  const page = listPage(
    {
      ask: `(cursor) => fetch('/search?tbm=map&q=${encodeURIComponent(placesQuery)}&pb=!1sx!7i20' + (cursor === '0' ? '' : '!8i' + cursor) + '!10b1').then((one) => one.text())`,
      read: `(text) => {
        const [rows, end] = [JSON.parse(text.slice(4))[64].length, Number(next) + ${placesAPage}];
        return { rows, next: rows < ${placesAPage} ? null : String(end) };
      }`,
      part: 'role="feed"',
    },
    how,
  );
  const part = (from: number) =>
    placesPart(count(from, Math.min(places, from + placesAPage)).map((at) => placeRow(at)));
  return ({ path: at, query }) => {
    const state = how.holds === true ? stateWith(part(0)) : '';
    if (at.startsWith('/maps/search/')) return { body: `<!doctype html><title>Maps</title>${state}${page}` };
    if (at !== '/search') return undefined;
    return data(part(Number(/!8i(\d+)/.exec(query.get('pb') ?? '')?.[1] ?? 0)));
  };
}

const postsAPage = 12;
/** The account of the posts. */
export const postsAccount = 'mossy.kiln';

/** An account's page with its first posts, which asks for the others. */
export function photoPostsSite(posts: number, how: ListPage = {}): Answers {
  const list = 'xdt_api__v1__feed__user_timeline_graphql_connection';
  const sample = JSON.parse(fixture('photosocial/posts/whole-2.json')).data[list];
  const post = (at: number) => {
    const id = String(3_998_200_000_000_000_000n - BigInt(at) * 1_000_000n);
    const code = shortcodeOfId(id);
    const node = {
      ...sample.edges[0].node,
      pk: id,
      id: `${id}_71550133`,
      code,
      taken_at: 1_793_080_000 - at,
    };
    return { node: { ...node, caption: { ...node.caption, text: `Post ${at}` } } };
  };
  const part = (from: number) => {
    const end = Math.min(posts, from + postsAPage);
    const page_info = { end_cursor: `after_${end}`, has_next_page: end < posts };
    return JSON.stringify({ data: { [list]: { edges: count(from, end).map(post), page_info } } });
  };
  const name = 'PolarisProfilePostsTabContentQuery_connection';
  const page = listPage(
    {
      ask: `(cursor) => fetch('/graphql/query', { method: 'POST', body: new URLSearchParams({
        fb_api_req_friendly_name: '${name}',
        variables: JSON.stringify({ after: 'after_' + cursor.replace('after_', ''), username: '${postsAccount}' }) }) }).then((one) => one.text())`,
      read: `(text) => {
        const list = JSON.parse(text).data.${list};
        return { rows: list.edges.length, next: list.page_info.has_next_page ? list.page_info.end_cursor : null };
      }`,
    },
    { shows: postsAPage, ...how },
  );
  return ({ path: at, body }) => {
    if (at === `/${postsAccount}/`) {
      return {
        body: `<!doctype html><html><title>Mossy Kiln</title><script type="application/json">${part(0)}</script>${page}</html>`,
      };
    }
    if (at !== '/graphql/query') return undefined;
    const form = new URLSearchParams(body);
    const after = String(JSON.parse(form.get('variables') ?? '{}').after ?? '');
    if (form.get('fb_api_req_friendly_name') !== name || !after.startsWith('after_')) return { body: '' };
    return data(part(Number(after.slice('after_'.length))));
  };
}

/** Address of the company of the posts. */
export const companyUrl = 'https://www.linkedin.com/company/co';
const feed = '/organization-guest/api/feedUpdates/77';
const updatesAPart = 10;

const update = (at: number) =>
  `<li><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${7_000_000_000_000_000_000n + BigInt(at)}"><p data-test-id="main-feed-activity-card__commentary">Post ${at}</p><a href="${companyUrl}?trk=organization_guest_main-feed-card_feed-actor-name">Co</a><div class="social-action-bar"></div></article></li>`;

/** A company's page with ten posts, and fragments with those that follow. */
export function companySite(posts: number): Answers {
  const part = (from: number) =>
    count(from, Math.min(posts, from + updatesAPart))
      .map(update)
      .join('');
  return ({ path: at, query }) => {
    if (at === '/company/co') {
      return {
        body: `<html><head><link rel="canonical" href="${companyUrl}"><meta name="pageKey" content="d_org_guest_company_overview"></head><body><main><section class="top-card-layout"><h1 class="top-card-layout__title">Co</h1></section><section data-test-id="updates"><ul class="updates__list">${part(0)}</ul><code id="feedUpdatesBaseUrl"><!--${JSON.stringify(`${feed}?paginationToken=t`)}--></code></section></main></body></html>`,
      };
    }
    if (at === '/') {
      return {
        body: '<html><head><meta name="pageKey" content="d_homepage-guest-home"></head><body><li>Home</li></body></html>',
      };
    }
    if (at !== feed) return undefined;
    const from = Number(query.get('paginationStart'));
    return from < posts ? { body: part(from) } : { status: 400 };
  };
}

/** The same behind a script that must run once per context: it sets a cookie and redirects home. */
export function behindScript(answers: Answers): Answers {
  const page = `<html><head><meta http-equiv="refresh" content="1;url=https://www.linkedin.com/"></head><body><script>
setTimeout(() => { document.cookie = 'ccookie=ran; Path=/'; }, 300)</script></body></html>`;
  return (request) => (request.cookie.includes('ccookie=ran') ? answers(request) : { body: page });
}
