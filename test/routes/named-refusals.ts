import type { ErrorCode } from '../../lib/errors/extract-error.js';
import type { Route } from '../../lib/web/routes.js';

type Response = Partial<Route>;

/** What a place serves instead of its data, and what its reader makes of it. */
interface NamedRefusal {
  readonly code: ErrorCode;
  /** The response, which may name the requested subject. Its file is below `fixtures/`. */
  readonly page: Response | ((subject: string) => Response);
  /** Who agrees on it, and when, if no real capture shows it. */
  readonly unseen?: string;
}

export type NamedRefusals = Readonly<Record<string, NamedRefusal>>;

const html = (head: string, body = '<div id="root"></div>') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const json = (value: object, status = 200): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});
const blocked = (page: NamedRefusal['page']): NamedRefusal => ({ code: 'platform_blocked', page });
const login = (page: Response): NamedRefusal => ({ code: 'platform_login_required', page });
const changed = (page: NamedRefusal['page']): NamedRefusal => ({ code: 'platform_changed', page });
const restricted = (page: NamedRefusal['page']): NamedRefusal => ({ code: 'platform_restricted', page });
const slow = (page: Response): NamedRefusal => ({ code: 'platform_rate_limited', page });

/** Responses without a page, which any place gives. */
const any: NamedRefusals = {
  'too many requests': slow({ status: 429 }),
  'closed to the visitor': blocked({ status: 403 }),
  'a fault of the server': { code: 'platform_unavailable', page: { status: 500 } },
  'an empty page': blocked({ body: '' }),
};

// Google Maps

const mapsAny: NamedRefusals = {
  ...any,
  'the page about unusual traffic': slow({ finalUrl: 'https://www.google.com/sorry/index?continue=x' }),
  'a captcha': blocked({ body: html('<title>Sorry...</title>', '<form id="captcha-form"></form>') }),
  'the consent wall': blocked({ file: 'maps/place/consent-without-reject.html' }),
  'a login page': login({ finalUrl: 'https://accounts.google.com/ServiceLogin?x', body: html('') }),
  'the limited view': login({ body: html('', 'You are seeing a limited view of Google Maps') }),
  'the shell of a page': blocked({
    body: html('<title>Google Maps</title><script>window.APP_INITIALIZATION_STATE=[null];</script>'),
  }),
};
const mapsData: NamedRefusals = {
  ...mapsAny,
  'a request that is no longer understood': changed({ status: 400 }),
};
const guard = ")]}'\n";

// LinkedIn

const pronetworkAny: NamedRefusals = {
  ...any,
  '999': blocked({ status: 999, file: 'pronetwork/profile/stub.html' }),
  'the sign-in wall, by its address': login({
    finalUrl: 'https://www.linkedin.com/authwall?trk=x',
    file: 'pronetwork/profile/authwall.html',
  }),
  'the sign-in wall, by its page': login({ file: 'pronetwork/profile/authwall.html' }),
  'the script that leads to the sign-in wall': blocked({ file: 'pronetwork/profile/stub.html' }),
  'the home page of guests': blocked({ file: 'pronetwork/profile/guest-home.html' }),
  'the login page': login({ file: 'pronetwork/profile/login.html' }),
  'the sign-up page': login({ file: 'pronetwork/profile/sign-up.html' }),
  'the script challenge': blocked({ file: 'pronetwork/profile/challenge.html' }),
  'a challenge by its address': blocked({
    finalUrl: 'https://www.linkedin.com/checkpoint/challenge/x',
    body: html(''),
  }),
};
const missingPage = (code: ErrorCode): NamedRefusals => ({
  'none, by its status': { code, page: { status: 404 } },
});

// Instagram

const route = (name: string) =>
  `<script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script>`;
const photosocialAny: NamedRefusals = {
  ...any,
  'asked to log in': login({ status: 401 }),
  'asked to wait or log in': login(
    json(
      { message: 'Please wait a few minutes before you try again.', require_login: true, status: 'fail' },
      401,
    ),
  ),
  'asked to wait': slow(json({ message: 'Please wait a few minutes before you try again.' }, 400)),
  'a login page': login({ finalUrl: 'https://www.instagram.com/accounts/login/?next=x', body: html('') }),
  'the login page, by its route': login({ body: html(route('PolarisCAAIGLoginHomepageRoute')) }),
  'a challenge': blocked({ finalUrl: 'https://www.instagram.com/challenge/?next=x', body: html('') }),
  'a checkpoint': blocked(json({ message: 'checkpoint_required', checkpoint_url: '/x' }, 400)),
};
const photosocialPage = (rightRoute: string): NamedRefusals => ({
  ...photosocialAny,
  'the error route': restricted({ body: html('<title>Instagram</title>', route('PolarisErrorRoute')) }),
  'a shell of scripts alone': blocked({ body: html('<title>Instagram</title>') }),
  'the right page without data': slow({ body: html('<title>Instagram</title>', route(rightRoute)) }),
});
const headAlone = (
  code: ErrorCode,
  path: (subject: string) => string,
  rightRoute: string,
): NamedRefusals => ({
  'a page with a head alone': {
    code,
    page: (subject) => ({
      body: html(
        `<title>Instagram</title><meta property="og:url" content="https://www.instagram.com${path(subject)}" />`,
        route(rightRoute),
      ),
    }),
  },
});
const profileRoute = 'PolarisLoggedOutDesktopWWWProfileRoute';
const postRoute = 'PolarisLoggedOutDesktopWWWPostRoute';
const popularRoute = 'PolarisLoggedOutPopularSearchRoute';
const ofAccount = (name: string) => `/${name}/`;
const ofPost = (code: string) => `/p/${code}/`;
const ofTag = (tag: string) => `/popular/${tag}/`;
const profilePage: NamedRefusals = {
  ...photosocialPage(profileRoute),
  ...headAlone('platform_restricted', ofAccount, profileRoute),
};
const postPage: NamedRefusals = {
  ...photosocialPage(postRoute),
  ...headAlone('platform_restricted', ofPost, postRoute),
};
const photosocialDocument: NamedRefusals = {
  ...photosocialAny,
  'a page in place of data': blocked({ body: html('<title>Instagram</title>', route('PolarisErrorRoute')) }),
  'a retired ID': changed(json({ errors: [{ message: 'The GraphQL document with ID 1 was not found.' }] })),
  'an error of execution': changed(json({ data: null, errors: [{ message: 'execution error' }] })),
  'an unsigned request': changed({
    body: `for (;;);${JSON.stringify({ error: 1357004, errorSummary: 'Sorry, something went wrong' })}`,
  }),
  'too many requests, by its code': slow(
    json({ errors: [{ code: 1675004, message: 'Rate limit exceeded' }] }),
  ),
};
const contextless = '<script>requireLazy(["x"],function(){"contextJSON":null})</script>';
const embedPage = (rightRoute: string): NamedRefusals => ({
  ...photosocialPage(rightRoute),
  'the error route': restricted({ body: html('', route('PolarisErrorRoute')) }),
});
const accountEmbed: NamedRefusals = {
  ...embedPage(profileRoute),
  'an embed of nobody': { code: 'profile_not_found', page: { body: html('', contextless) } },
};
const postEmbed: NamedRefusals = {
  ...embedPage(postRoute),
  'an embed of a gone post, without a context': {
    code: 'post_not_found',
    page: { body: html('', `${contextless}<div class="EmbedBrokenMedia"></div>`) },
  },
  'an embed of a gone post, broken': {
    code: 'post_not_found',
    page: {
      body: html(
        '',
        `<script>{"contextJSON":${JSON.stringify(JSON.stringify({ context: { media: null }, gql_data: null }))}}</script><div class="EmbedIsBroken"></div>`,
      ),
    },
  },
};
const photosocialOembed = (code: ErrorCode): NamedRefusals => ({
  ...photosocialAny,
  'none, by its status': { code, page: json({}, 404) },
  'none, by its answer': { code, page: json({ message: 'Media not found' }, 400) },
  'a page in place of data': blocked({ body: html('<title>Instagram</title>') }),
});

// TikTok

const waiting = (head: string, body: string) => blocked({ body: html(head, body) });
const shortvideoAny: NamedRefusals = {
  ...any,
  'the waiting page, whole': blocked({ file: 'shortvideo/profile/challenge.html' }),
  'the waiting page, by its element': waiting('', '<p id="wci" class="_wafchallengeid"></p>'),
  'the waiting page, by its name': waiting('<script id="slardar-config">{"bid":"SlardarWAF"}</script>', ''),
  'the waiting page, by its script': waiting(
    '',
    '<script src="https://x.example/obj/waf-aiso/0.js"></script>',
  ),
  'the waiting page, without a title': waiting('', 'Please wait...<p class="_wafchallengeid"></p>'),
  'a captcha': blocked({ file: 'shortvideo/profile/captcha.html' }),
  'a captcha by its header': blocked({ headers: { 'bdturing-verify': '{"code":"10000"}' }, body: html('') }),
  'a login page': login({ finalUrl: 'https://www.tiktok.com/login?redirect_url=x', body: html('') }),
  'load shed': slow({ status: 503, body: 'overload-protect triggered' }),
  'a shell of scripts alone': blocked({
    body: html('<script id="__LOADABLE_REQUIRED_CHUNKS__" type="application/json">[]</script>'),
  }),
};
const scope = (key: string, value: object): Response => ({
  body: html(
    '',
    `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({ __DEFAULT_SCOPE__: { [key]: value } })}</script>`,
  ),
});
const shortvideoPage: NamedRefusals = {
  ...shortvideoAny,
  'a data script without the subject': blocked({ file: 'shortvideo/profile/without-scope.html' }),
};
const videoPage: NamedRefusals = {
  ...shortvideoPage,
  '10204, by the page': {
    code: 'video_not_found',
    page: scope('webapp.video-detail', { statusCode: 10204, statusMsg: "item doesn't exist" }),
  },
};
const accountPage: NamedRefusals = {
  ...shortvideoPage,
  '10221, by the page': {
    code: 'profile_not_found',
    page: scope('webapp.user-detail', { statusCode: 10221, statusMsg: '' }),
  },
};
const state = (path: string, node: object, status = 200): Response => ({
  status,
  body: html(
    '',
    `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify({ source: { data: { [path]: node } } })}</script>`,
  ),
});
const videoEmbed: NamedRefusals = {
  ...shortvideoAny,
  '10204, by the embed page': {
    code: 'video_not_found',
    page: (id) =>
      state(
        `/embed/v2/${id}`,
        { isError: true, errorCode: 10204, errorStatus: 400, pageName: 'video_v2_error' },
        400,
      ),
  },
  'none, by the status alone': {
    code: 'video_not_found',
    page: { status: 400 },
    unseen: 'two clients, 2026',
  },
  'an embed of nothing': {
    ...restricted((id) => state(`/embed/v2/${id}`, { isError: false, code: 200, pageName: 'video_v2' })),
    unseen: 'one client, 2026-09',
  },
};
const accountEmbedPage: NamedRefusals = {
  ...shortvideoAny,
  'none, by its error': {
    code: 'profile_not_found',
    page: (name) => state(`/embed/@${name}`, { isError: true, errorCode: 10000, errorStatus: 404 }),
    unseen: 'the tests of one client, 2026',
  },
  'none, by its code': {
    code: 'profile_not_found',
    page: (name) =>
      state(`/embed/@${name}`, { isError: false, userInfo: { code: 10202, uniqueId: '' }, videoList: [] }),
    unseen: 'one client, 2026',
  },
  'none, by the status alone': {
    code: 'profile_not_found',
    page: { status: 400 },
    unseen: 'two clients, 2026',
  },
  'no embedding': {
    ...restricted((name) =>
      state(`/embed/@${name}`, {
        isError: false,
        userInfo: { uniqueId: name, privateAccount: false, code: 200 },
        videoList: [],
      }),
    ),
    unseen: 'one client, 2026',
  },
  'a private account': {
    code: 'account_private',
    page: (name) =>
      state(`/embed/@${name}`, {
        isError: false,
        userInfo: { uniqueId: name, privateAccount: true, code: 200 },
        videoList: [],
      }),
    unseen: 'two clients, 2026',
  },
};
const tagEmbed: NamedRefusals = {
  ...shortvideoAny,
  'a shell without the tag': { ...changed(state('/embed/tag/', {})), unseen: 'one client, 2026-09' },
  'none, by its status': { code: 'hashtag_not_found', page: { status: 404 }, unseen: 'one client, 2026' },
};
const shortvideoOembed = (code: ErrorCode): NamedRefusals => ({
  ...shortvideoAny,
  'none, by its answer': { code, page: json({ message: 'Something went wrong', code: 400 }, 400) },
});
const listOfPage: NamedRefusals = {
  ...shortvideoAny,
  'a captcha by its code': blocked(json({ status_code: 10000 })),
  'a fault by its code': { code: 'platform_unavailable', page: json({ status_code: 10101 }) },
  'only for people who are signed in': login(json({ status_code: 10102 })),
};
const commentList: NamedRefusals = {
  ...listOfPage,
  'no comments, and no word on why': restricted(
    json({ status_code: 0, comments: [], has_more: 0, cursor: 0, total: 0 }),
  ),
};
const keywordList: NamedRefusals = {
  ...shortvideoAny,
  'no page for the words': login(json({ status_code: 0, videoList: [], hasMore: false })),
};

/** The refusals of each route of each endpoint that are named in the notes on routes (2026-11), by its path and name. */
export const namedRefusals: Readonly<Record<string, NamedRefusals>> = {
  'maps/places search': mapsData,
  'maps/places search-page': mapsAny,
  'maps/place place-data': {
    ...mapsData,
    'none, by its status': { code: 'place_not_found', page: { status: 404 } },
  },
  'maps/place rating-counts': mapsAny,
  'maps/place focused-search': mapsData,
  'maps/reviews review-list': {
    ...mapsData,
    'a list without its frame': changed({ body: `${guard}[null,[null,null]]` }),
  },
  'maps/reviews inline-reviews': mapsData,
  'maps/photos gallery': mapsData,
  'pronetwork/profile profile-page': { ...pronetworkAny, ...missingPage('profile_not_found') },
  'pronetwork/company company-names': {
    ...pronetworkAny,
    'no suggestion': { ...login(json([])), unseen: 'three clients, 2026' },
    'another shape': { ...changed(json({ elements: [] })), unseen: 'one client, 2024' },
  },
  'pronetwork/company company-jobs': {
    ...pronetworkAny,
    'no open job': login({ body: '<!DOCTYPE html><!---->' }),
  },
  'pronetwork/company company-page': { ...pronetworkAny, ...missingPage('company_not_found') },
  'pronetwork/posts posts-page': { ...pronetworkAny, ...missingPage('company_not_found') },
  'pronetwork/posts post-embed': { ...pronetworkAny, ...missingPage('post_not_found') },
  'pronetwork/posts post-page': { ...pronetworkAny, ...missingPage('post_not_found') },
  'pronetwork/posts feed-updates': {
    ...pronetworkAny,
    'an edited token': { ...changed({ status: 404 }), unseen: 'one client, 2026-09' },
  },
  'pronetwork/jobs typeahead': {
    ...pronetworkAny,
    'another shape': { ...changed(json({ elements: [] })), unseen: 'one client, 2024' },
  },
  'pronetwork/jobs search': {
    ...pronetworkAny,
    'a bad request at the beginning': changed({ status: 400 }),
    'nothing at the beginning': blocked({ body: '<!DOCTYPE html>\n\n<!---->   ' }),
  },
  'pronetwork/jobs search-page': pronetworkAny,
  'pronetwork/jobs job-posting': { ...pronetworkAny, ...missingPage('job_not_found') },
  'pronetwork/jobs job-page': { ...pronetworkAny, ...missingPage('job_not_found') },
  'photosocial/profile embed': accountEmbed,
  'photosocial/profile page': { ...profilePage, ...missingPage('profile_not_found') },
  'photosocial/profile document': photosocialDocument,
  'photosocial/profile head': profilePage,
  'photosocial/profile details-document': photosocialDocument,
  'photosocial/profile oembed': photosocialOembed('profile_not_found'),
  'photosocial/posts document': photosocialDocument,
  'photosocial/posts page': { ...profilePage, ...missingPage('profile_not_found') },
  'photosocial/posts whole-posts-document': photosocialDocument,
  'photosocial/posts embed': accountEmbed,
  'photosocial/posts post-document': photosocialDocument,
  'photosocial/posts post-page': { ...postPage, ...missingPage('post_not_found') },
  'photosocial/posts post-embed': postEmbed,
  'photosocial/posts oembed': photosocialOembed('profile_not_found'),
  'photosocial/post post-document': photosocialDocument,
  'photosocial/post post-page': { ...postPage, ...missingPage('post_not_found') },
  'photosocial/post whole-post-document': photosocialDocument,
  'photosocial/post post-embed': postEmbed,
  'photosocial/post head': postPage,
  'photosocial/post oembed': photosocialOembed('post_not_found'),
  'photosocial/comments page': { ...postPage, ...missingPage('post_not_found') },
  'photosocial/comments document': photosocialDocument,
  'photosocial/comments comments-document': photosocialDocument,
  'photosocial/comments post-embed': postEmbed,
  'photosocial/comments oembed': photosocialOembed('post_not_found'),
  'photosocial/hashtag page': {
    ...photosocialPage(popularRoute),
    ...headAlone('platform_restricted', ofTag, popularRoute),
    ...missingPage('hashtag_not_found'),
    'no page for the words, with status 200': {
      code: 'hashtag_not_found',
      page: { body: html('<title>Page not found • Instagram</title>', route('PolarisErrorRoute')) },
    },
  },
  'photosocial/hashtag document': photosocialDocument,
  'photosocial/hashtag post-document': photosocialDocument,
  'photosocial/hashtag post-page': { ...postPage, ...missingPage('post_not_found') },
  'photosocial/hashtag post-embed': postEmbed,
  'shortvideo/profile page': accountPage,
  'shortvideo/profile embed': {
    ...accountEmbedPage,
    // The profile of a private account is public: its page has it.
    'a private account': {
      ...restricted((name) =>
        state(`/embed/@${name}`, {
          isError: false,
          userInfo: { uniqueId: name, privateAccount: true, code: 200 },
          videoList: [],
        }),
      ),
      unseen: 'two clients, 2026',
    },
  },
  'shortvideo/profile oembed': shortvideoOembed('profile_not_found'),
  'shortvideo/videos embed': accountEmbedPage,
  'shortvideo/videos page': accountPage,
  'shortvideo/videos embed-video': videoEmbed,
  'shortvideo/videos page-video': videoPage,
  'shortvideo/videos oembed': shortvideoOembed('profile_not_found'),
  'shortvideo/videos browser': accountPage,
  'shortvideo/video page-video': videoPage,
  'shortvideo/video embed-video': videoEmbed,
  'shortvideo/video oembed': shortvideoOembed('video_not_found'),
  'shortvideo/comments api': commentList,
  'shortvideo/comments page': videoPage,
  'shortvideo/comments embed-video': videoEmbed,
  'shortvideo/comments oembed': shortvideoOembed('video_not_found'),
  'shortvideo/comments browser': videoPage,
  'shortvideo/search embed-tag': tagEmbed,
  'shortvideo/search discover': keywordList,
  'shortvideo/search embed-video': videoEmbed,
  'shortvideo/search page-video': videoPage,
  'shortvideo/search browser': listOfPage,
};
