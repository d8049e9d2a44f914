import { idOfShortcode, shortcodeOfId } from '../../../lib/platforms/photosocial/shortcode.js';
import { decodedBody } from '../../../lib/web/routes.js';
import type { SiteAnswer, SiteRequest } from '../browser-site.js';
import type { WorldPlace } from './place.js';
import { html, json, recordedCase, recordedPage } from './recorded-pages.js';

/** The account. Numbered accounts such as `amber.quay.12` exist, too, without limit. */
export const account = 'amber.quay';
const number = '60422991';
/** A post of it. */
export const ownPost = 'DeAXiryc-to';
/** A post with comments. Numbered ones exist without limit. */
export const commentedPost = (number: number) =>
  shortcodeOfId(String(firstCommented + BigInt(number) * 1000n)) ?? '';
const firstCommented = BigInt(idOfShortcode('Dd_qEMKLVdi'));
const isCommented = (id: string) =>
  BigInt(id) >= firstCommented && (BigInt(id) - firstCommented) % 1000n === 0n;
/** A tag that is also answered without its page. */
export const tag = 'bowl';

const joined = 'document joined by shortcode with the embed page; the rest from the post’s own data';
const quay = 'embed page and one document: no page of the site is opened';

/** Converts an answer about the account to one about its numbered copy. */
function copied({ body = '', ...rest }: SiteAnswer, copy: string | undefined): SiteAnswer {
  if (copy === undefined) return { ...rest, body };
  return { ...rest, body: body.replaceAll(account, `${account}.${copy}`).replaceAll(number, copy + number) };
}

const copyOf = (text: string) => /amber\.quay\.(\d+)/.exec(text)?.[1] ?? /"(\d+)60422991"/.exec(text)?.[1];

/** The document of any numbered post. */
function postDocument(id: string): SiteAnswer {
  const { body = '', ...rest } = recordedCase('photosocial/posts', joined, 'PostRootContentQuery');
  const ownBody = body.replaceAll(idOfShortcode(ownPost), id).replaceAll(ownPost, shortcodeOfId(id) ?? '');
  return { ...rest, body: ownBody };
}

/** The tokens of a visit, which real embed pages have, too. */
const withTokens = {
  's.handle({"require"': 's.handle({"define":[["LSD",[],{"token":"AVqInventedOfEmbed"},323]],"require"',
};

/** The document of a post with comments. */
const commentsDocument = (id: string): SiteAnswer =>
  json(
    recordedPage('photosocial/comments/document.json', {
      [idOfShortcode(commentedPost(0))]: id,
      [commentedPost(0)]: shortcodeOfId(id) ?? '',
    }),
  );

interface WorldList {
  readonly node: { readonly pk: string; readonly code: string; readonly caption: object } | null;
}

/** The list of complete posts, as the app of signed-in visitors requests it. */
function wholePosts(copy: string | undefined): SiteAnswer {
  const { body = '' } = recordedCase('photosocial/posts', joined, 'ProfilePostsTabContentQuery');
  const listed = JSON.parse(body).data.xig_user_by_username.polaris_ordered_timeline_connection
    .edges as WorldList[];
  const list = 'xdt_api__v1__feed__user_timeline_graphql_connection';
  const { node: sample } = JSON.parse(recordedPage('photosocial/posts/whole-1.json')).data[list].edges[0];
  const user = { ...sample.user, pk: number, id: number, username: account };
  const edges = listed.flatMap(({ node }) =>
    node === null ? [] : { node: { ...sample, ...node, id: `${node.pk}_${number}`, user, owner: user } },
  );
  const page_info = { end_cursor: null, has_next_page: false };
  return copied(json(JSON.stringify({ data: { [list]: { edges, page_info } } })), copy);
}

/** Documents by name, and the requests for each. */
function documentOf(request: SiteRequest): SiteAnswer | undefined {
  const form = decodedBody(request.body);
  const copy = copyOf(form);
  if (form.includes('PostRootContentQuery')) {
    const [, id = ''] = /"media_id":"(\d+)"/.exec(form) ?? [];
    return isCommented(id) ? commentsDocument(id) : postDocument(id);
  }
  if (form.includes('ProfileRootContentQuery')) {
    const of = 'embed page, and the document of the profile page';
    return copied(recordedCase('photosocial/profile', of, 'ProfileRootContentQuery'), copy);
  }
  if (form.includes('ProfilePostsTabContentQuery')) {
    return copied(recordedCase('photosocial/posts', joined, 'ProfilePostsTabContentQuery'), copy);
  }
  if (form.includes('PopularSearchPageQuery'))
    return json(recordedPage('photosocial/hashtag/rich-next.json'));
  if (form.includes('PolarisProfilePostsQuery')) return wholePosts(copy);
  if (form.includes('PolarisProfilePageContentQuery')) {
    return copied(recordedCase('photosocial/profile', quay, 'graphql/query'), copy);
  }
  return undefined;
}

/** The substitute for a page that exists: it names nothing and has the tokens of a visit. */
const errorRoute = {
  refuses: recordedCase(
    'photosocial/profile',
    'the error page with status 200, and no second source: refused, not missing',
  ),
};
const loginPage = {
  refuses: { status: 302, headers: { location: 'https://www.instagram.com/accounts/login/?next=%2F' } },
};
const asksToWait = {
  refuses: recordedCase(
    'photosocial/posts',
    'embed page alone: its six posts, everything else refused',
    '/graphql',
  ),
};

const on = (route: string, ...endpoints: readonly string[]) =>
  endpoints.map((endpoint) => `photosocial/${endpoint} ${route}`);

export const places: readonly WorldPlace[] = [
  {
    name: 'Instagram login',
    routes: [],
    takes: ({ path }) => path.startsWith('/accounts/login/'),
    page: () => html('<html><title>Login</title></html>'),
  },
  {
    name: 'Instagram oEmbed',
    routes: on('oembed', 'profile', 'posts', 'post', 'comments'),
    takes: ({ path }) => path === '/api/v1/oembed/',
    page: () => json('{"version":"1.0","title":"A post","author_name":"amber.quay"}'),
    // No source confirms that it answers from a datacentre.
    datacentre: loginPage,
  },
  {
    name: 'Instagram embeds',
    routes: [...on('embed', 'profile', 'posts'), ...on('post-embed', 'posts', 'post', 'comments', 'hashtag')],
    takes: ({ path }) => path.includes('/embed/'),
    page({ path }) {
      const [, code] = /^\/p\/([\w-]+)\/embed\/captioned\/$/.exec(path) ?? [];
      if (code !== undefined) {
        const sample = { C4JD9Mg7oHN: code, '3317200000000098765': idOfShortcode(code), 'old.kiln': account };
        return html(recordedPage('photosocial/post/embed.html', { ...sample, ...withTokens }));
      }
      return path.startsWith(`/${account}`)
        ? copied(recordedCase('photosocial/profile', quay, '/embed/'), copyOf(path))
        : undefined;
    },
  },
  {
    name: 'Instagram documents of pages',
    routes: [
      ...on('document', 'profile', 'posts', 'comments', 'hashtag'),
      ...on('post-document', 'posts', 'post', 'hashtag'),
      ...on('comments-document', 'comments'),
    ],
    takes: ({ path }) => path === '/api/graphql',
    page: documentOf,
    datacentre: asksToWait,
  },
  {
    name: 'Instagram documents of the app',
    routes: [
      ...on('details-document', 'profile'),
      ...on('whole-posts-document', 'posts'),
      ...on('whole-post-document', 'post'),
    ],
    takes: ({ path }) => path === '/graphql/query',
    page: documentOf,
    datacentre: asksToWait,
  },
  {
    name: 'Instagram pages',
    routes: [
      ...on('page', 'profile', 'posts', 'comments', 'hashtag'),
      ...on('post-page', 'posts', 'post', 'hashtag'),
      ...on('head', 'profile', 'post'),
    ],
    takes: ({ host }) => host === 'www.instagram.com',
    page: () => undefined,
    home: errorRoute,
    datacentre: loginPage,
  },
];
