import type { ErrorCode } from '../../lib/errors/extract-error.js';
import type { Route } from '../../lib/web/routes.js';

type Response = Partial<Route>;

/** What a place serves instead of its data, and what its reader makes of it. */
interface NamedRefusal {
  readonly code: ErrorCode;
  /** The response, which may name the requested subject. Its file is below `fixtures/`. */
  readonly page: Response | ((subject: string) => Response);
  /** Who agrees on it, and when, if no real capture shows it. */
  readonly unseen: string | undefined;
}

export type NamedRefusals = Readonly<Record<string, NamedRefusal>>;
type NamedRefusalsByRoute = Readonly<Record<string, NamedRefusals>>;

const html = (head: string, body = '<div id="root"></div>') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const json = (value: object, status = 200): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});
const as =
  (code: ErrorCode) =>
  (page: NamedRefusal['page'], unseen?: string): NamedRefusal => ({ code, page, unseen });
const blocked = as('platform_blocked');
const login = as('platform_login_required');
const changed = as('platform_changed');
const restricted = as('platform_restricted');
const slow = as('platform_rate_limited');
const unavailable = as('platform_unavailable');
const [noProfile, noPost, noVideo] = [as('profile_not_found'), as('post_not_found'), as('video_not_found')];

/** Responses without a page, which any place gives. */
const any: NamedRefusals = {
  'too many requests': slow({ status: 429 }),
  'closed to the visitor': blocked({ status: 403 }),
  'a fault of the server': unavailable({ status: 500 }),
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
  'none, by its status': as(code)({ status: 404 }),
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
const headAlone = (path: (subject: string) => string, rightRoute: string): NamedRefusals => ({
  'a page with a head alone': restricted((subject) => ({
    body: html(
      `<title>Instagram</title><meta property="og:url" content="https://www.instagram.com${path(subject)}" />`,
      route(rightRoute),
    ),
  })),
});
const profileRoute = 'PolarisLoggedOutDesktopWWWProfileRoute';
const postRoute = 'PolarisLoggedOutDesktopWWWPostRoute';
const popularRoute = 'PolarisLoggedOutPopularSearchRoute';
const profilePage: NamedRefusals = {
  ...photosocialPage(profileRoute),
  ...headAlone((name) => `/${name}/`, profileRoute),
};
const postPage: NamedRefusals = {
  ...photosocialPage(postRoute),
  ...headAlone((code) => `/p/${code}/`, postRoute),
};
const photosocialDocument: NamedRefusals = {
  ...photosocialAny,
  'a page instead of data': blocked({ body: html('<title>Instagram</title>', route('PolarisErrorRoute')) }),
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
  'an embed of no account': noProfile({ body: html('', contextless) }),
};
const emptyContext = JSON.stringify(JSON.stringify({ context: { media: null }, gql_data: null }));
const postEmbed: NamedRefusals = {
  ...embedPage(postRoute),
  'an embed of a removed post, without a context': noPost({
    body: html('', `${contextless}<div class="EmbedBrokenMedia"></div>`),
  }),
  'an embed of a removed post, broken': noPost({
    body: html('', `<script>{"contextJSON":${emptyContext}}</script><div class="EmbedIsBroken"></div>`),
  }),
};
const photosocialOembed = (code: ErrorCode): NamedRefusals => ({
  ...photosocialAny,
  'none, by its status': as(code)(json({}, 404)),
  'none, by its answer': as(code)(json({ message: 'Media not found' }, 400)),
  'a page instead of data': blocked({ body: html('<title>Instagram</title>') }),
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
const data = (id: string, value: object, status = 200): Response => ({
  status,
  body: html('', `<script id="${id}" type="application/json">${JSON.stringify(value)}</script>`),
});
const scope = (key: string, value: object): Response =>
  data('__UNIVERSAL_DATA_FOR_REHYDRATION__', { __DEFAULT_SCOPE__: { [key]: value } });
const shortvideoPage: NamedRefusals = {
  ...shortvideoAny,
  'a data script without the subject': blocked({ file: 'shortvideo/profile/without-scope.html' }),
};
const videoPage: NamedRefusals = {
  ...shortvideoPage,
  '10204, by the page': noVideo(
    scope('webapp.video-detail', { statusCode: 10204, statusMsg: "item doesn't exist" }),
  ),
};
const accountPage: NamedRefusals = {
  ...shortvideoPage,
  '10221, by the page': noProfile(scope('webapp.user-detail', { statusCode: 10221, statusMsg: '' })),
};
const state = (path: string, node: object, status = 200): Response =>
  data('__FRONTITY_CONNECT_STATE__', { source: { data: { [path]: node } } }, status);
const videoEmbed: NamedRefusals = {
  ...shortvideoAny,
  '10204, by the embed page': noVideo((id) => {
    const error = { isError: true, errorCode: 10204, errorStatus: 400, pageName: 'video_v2_error' };
    return state(`/embed/v2/${id}`, error, 400);
  }),
  'none, by the status alone': noVideo({ status: 400 }, 'two clients, 2026'),
  'an embed of nothing': restricted(
    (id) => state(`/embed/v2/${id}`, { isError: false, code: 200, pageName: 'video_v2' }),
    'one client, 2026-09',
  ),
};
const withoutVideos = (privateAccount: boolean) => (uniqueId: string) => {
  const userInfo = { uniqueId, privateAccount, code: 200 };
  return state(`/embed/@${uniqueId}`, { isError: false, userInfo, videoList: [] });
};
const accountEmbedPage: NamedRefusals = {
  ...shortvideoAny,
  'none, by its error': noProfile(
    (name) => state(`/embed/@${name}`, { isError: true, errorCode: 10000, errorStatus: 404 }),
    'the tests of one client, 2026',
  ),
  'none, by its code': noProfile(
    (name) =>
      state(`/embed/@${name}`, { isError: false, userInfo: { code: 10202, uniqueId: '' }, videoList: [] }),
    'one client, 2026',
  ),
  'none, by the status alone': noProfile({ status: 400 }, 'two clients, 2026'),
  'no embedding': restricted(withoutVideos(false), 'one client, 2026'),
  'a private account': as('account_private')(withoutVideos(true), 'two clients, 2026'),
};
const tagEmbed: NamedRefusals = {
  ...shortvideoAny,
  'a shell without the tag': changed(state('/embed/tag/', {}), 'one client, 2026-09'),
  'none, by its status': as('hashtag_not_found')({ status: 404 }, 'one client, 2026'),
};
const shortvideoOembed = (code: ErrorCode): NamedRefusals => ({
  ...shortvideoAny,
  'none, by its answer': as(code)(json({ message: 'Something went wrong', code: 400 }, 400)),
});
const listOfPage: NamedRefusals = {
  ...shortvideoAny,
  'a captcha by its code': blocked(json({ status_code: 10000 })),
  'a fault by its code': unavailable(json({ status_code: 10101 })),
  'only for people who are signed in': login(json({ status_code: 10102 })),
};
const commentList: NamedRefusals = {
  ...listOfPage,
  'no comments, without a reason': restricted(
    json({ status_code: 0, comments: [], has_more: 0, cursor: 0, total: 0 }),
  ),
};
const keywordList: NamedRefusals = {
  ...shortvideoAny,
  'no page for the words': login(json({ status_code: 0, videoList: [], hasMore: false })),
};

/** The same refusals for several routes of an endpoint. */
const of = (endpoint: string, refusals: NamedRefusals, ...routes: readonly string[]): NamedRefusalsByRoute =>
  Object.fromEntries(routes.map((name) => [`${endpoint} ${name}`, refusals]));

const anotherShape = changed(json({ elements: [] }), 'one client, 2024');

/** The refusals of each route of each endpoint that are named in the notes on routes (2026-11), by its path and name. */
export const namedRefusals: NamedRefusalsByRoute = {
  ...of('maps/places', mapsData, 'search'),
  ...of('maps/places', mapsAny, 'search-page'),
  ...of('maps/place', { ...mapsData, ...missingPage('place_not_found') }, 'place-data'),
  ...of('maps/place', mapsAny, 'rating-counts'),
  ...of('maps/place', mapsData, 'focused-search'),
  'maps/reviews review-list': {
    ...mapsData,
    'a list without its frame': changed({ body: `${guard}[null,[null,null]]` }),
  },
  ...of('maps/reviews', mapsData, 'inline-reviews'),
  ...of('maps/photos', mapsData, 'gallery'),
  ...of('pronetwork/profile', { ...pronetworkAny, ...missingPage('profile_not_found') }, 'profile-page'),
  'pronetwork/company company-names': {
    ...pronetworkAny,
    'no suggestion': login(json([]), 'three clients, 2026'),
    'another shape': anotherShape,
  },
  'pronetwork/company company-jobs': {
    ...pronetworkAny,
    'no open job': login({ body: '<!DOCTYPE html><!---->' }),
  },
  ...of('pronetwork/company', { ...pronetworkAny, ...missingPage('company_not_found') }, 'company-page'),
  ...of('pronetwork/posts', { ...pronetworkAny, ...missingPage('company_not_found') }, 'posts-page'),
  ...of(
    'pronetwork/posts',
    { ...pronetworkAny, ...missingPage('post_not_found') },
    'post-embed',
    'post-page',
  ),
  'pronetwork/posts feed-updates': {
    ...pronetworkAny,
    'an edited token': changed({ status: 404 }, 'one client, 2026-09'),
  },
  ...of('pronetwork/jobs', { ...pronetworkAny, 'another shape': anotherShape }, 'typeahead'),
  'pronetwork/jobs search': {
    ...pronetworkAny,
    'a bad request at the beginning': changed({ status: 400 }),
    'nothing at the beginning': blocked({ body: '<!DOCTYPE html>\n\n<!---->   ' }),
  },
  ...of('pronetwork/jobs', pronetworkAny, 'search-page'),
  ...of('pronetwork/jobs', { ...pronetworkAny, ...missingPage('job_not_found') }, 'job-posting', 'job-page'),
  ...of('photosocial/profile', accountEmbed, 'embed'),
  ...of('photosocial/profile', { ...profilePage, ...missingPage('profile_not_found') }, 'page'),
  ...of('photosocial/profile', photosocialDocument, 'document', 'details-document'),
  ...of('photosocial/profile', profilePage, 'head'),
  ...of('photosocial/profile', photosocialOembed('profile_not_found'), 'oembed'),
  ...of('photosocial/posts', photosocialDocument, 'document', 'whole-posts-document', 'post-document'),
  ...of('photosocial/posts', { ...profilePage, ...missingPage('profile_not_found') }, 'page'),
  ...of('photosocial/posts', accountEmbed, 'embed'),
  ...of('photosocial/posts', { ...postPage, ...missingPage('post_not_found') }, 'post-page'),
  ...of('photosocial/posts', postEmbed, 'post-embed'),
  ...of('photosocial/posts', photosocialOembed('profile_not_found'), 'oembed'),
  ...of('photosocial/post', photosocialDocument, 'post-document', 'whole-post-document'),
  ...of('photosocial/post', { ...postPage, ...missingPage('post_not_found') }, 'post-page'),
  ...of('photosocial/post', postEmbed, 'post-embed'),
  ...of('photosocial/post', postPage, 'head'),
  ...of('photosocial/post', photosocialOembed('post_not_found'), 'oembed'),
  ...of('photosocial/comments', { ...postPage, ...missingPage('post_not_found') }, 'page'),
  ...of('photosocial/comments', photosocialDocument, 'document', 'comments-document'),
  ...of('photosocial/comments', postEmbed, 'post-embed'),
  ...of('photosocial/comments', photosocialOembed('post_not_found'), 'oembed'),
  'photosocial/hashtag page': {
    ...photosocialPage(popularRoute),
    ...headAlone((tag) => `/popular/${tag}/`, popularRoute),
    ...missingPage('hashtag_not_found'),
    'no page for the words, with status 200': as('hashtag_not_found')({
      body: html('<title>Page not found • Instagram</title>', route('PolarisErrorRoute')),
    }),
  },
  ...of('photosocial/hashtag', photosocialDocument, 'document', 'post-document'),
  ...of('photosocial/hashtag', { ...postPage, ...missingPage('post_not_found') }, 'post-page'),
  ...of('photosocial/hashtag', postEmbed, 'post-embed'),
  ...of('shortvideo/profile', accountPage, 'page'),
  'shortvideo/profile embed': {
    ...accountEmbedPage,
    // The profile of a private account is public: its page has it.
    'a private account': restricted(withoutVideos(true), 'two clients, 2026'),
  },
  ...of('shortvideo/profile', shortvideoOembed('profile_not_found'), 'oembed'),
  ...of('shortvideo/videos', accountEmbedPage, 'embed'),
  ...of('shortvideo/videos', accountPage, 'page', 'browser'),
  ...of('shortvideo/videos', videoEmbed, 'embed-video'),
  ...of('shortvideo/videos', videoPage, 'page-video'),
  ...of('shortvideo/videos', shortvideoOembed('profile_not_found'), 'oembed'),
  ...of('shortvideo/video', videoPage, 'page-video'),
  ...of('shortvideo/video', videoEmbed, 'embed-video'),
  ...of('shortvideo/video', shortvideoOembed('video_not_found'), 'oembed'),
  ...of('shortvideo/comments', commentList, 'api'),
  ...of('shortvideo/comments', videoPage, 'page', 'browser'),
  ...of('shortvideo/comments', videoEmbed, 'embed-video'),
  ...of('shortvideo/comments', shortvideoOembed('video_not_found'), 'oembed'),
  ...of('shortvideo/search', tagEmbed, 'embed-tag'),
  ...of('shortvideo/search', keywordList, 'discover'),
  ...of('shortvideo/search', videoEmbed, 'embed-video'),
  ...of('shortvideo/search', videoPage, 'page-video'),
  ...of('shortvideo/search', listOfPage, 'browser'),
};
