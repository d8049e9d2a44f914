import type { SiteRequest } from '../browser-site.js';
import type { WorldPlace } from './place.js';
import { html, json, recordedCase, recordedPage } from './recorded-pages.js';

const waitingPage = { refuses: recordedCase('shortvideo/profile', 'waiting-room challenge') };

/** The account with a number. There are as many as a test requests. */
export const profileAccount = (number: number) => `ferry.kettle.${number}`;
const firstVideo = '7572000000000000001';
/** The first video of such an account. */
const videoOf = (number: string) => `757200000${number.padStart(5, '0')}00001`;

/** The videos with known pages, by the endpoint of their fixtures. */
const videosOf = (folder: string, file: (id: string) => string, ...ids: readonly string[]) =>
  Object.fromEntries(ids.map((id) => [id, () => recordedPage(`${folder}/${file(id.slice(-2))}`)]));
const lastOf = (prefix: string, ...ends: readonly string[]) => ends.map((end) => `${prefix}${end}`);
const listed = lastOf('75720000000000000', '01', '05', '06', '07', '08', '09');
const lastVideos = lastOf('75730000000000000', '01', '02', '03', '04', '05');
/** The video requested by its ID. */
export const singleVideo = '7571000000000000501';

const videoPages: Readonly<Record<string, () => string>> = {
  ...videosOf('shortvideo/videos', (end) => `video-${end}.html`, ...listed),
  ...videosOf('shortvideo/search', (end) => `video-${end}.html`, ...lastVideos),
  [singleVideo]: () => recordedPage('shortvideo/video/rich.html', { '7571000000000000201': singleVideo }),
};
const videoEmbeds: Readonly<Record<string, () => string>> = {
  ...videosOf('shortvideo/videos', (end) => `embed-${end}.html`, ...listed),
  ...videosOf('shortvideo/search', (end) => `embed-${end}.html`, ...lastVideos),
  [singleVideo]: () => recordedPage('shortvideo/video/embed.html'),
};

/** The page of the first video of an account with a number. */
function copiedVideo(id: string): (() => string) | undefined {
  const [, number] = /^757200000(\d{5})00001$/.exec(id) ?? [];
  const names = { '7571000000000000201': id, 'mira.kettle': `ferry.kettle.${Number(number)}` };
  return number === undefined ? undefined : () => recordedPage('shortvideo/video/rich.html', names);
}

const match = (request: SiteRequest, pattern: RegExp) => pattern.exec(decodeURIComponent(request.path));
const page = (readText: (() => string) | undefined) =>
  readText === undefined ? undefined : html(readText());

export const places: readonly WorldPlace[] = [
  {
    name: 'TikTok embeds',
    routes: [
      'shortvideo/profile embed',
      'shortvideo/videos embed',
      'shortvideo/videos embed-video',
      'shortvideo/video embed-video',
      'shortvideo/comments embed-video',
      'shortvideo/search embed-tag',
      'shortvideo/search embed-video',
    ],
    takes: ({ path }) => path.startsWith('/embed/'),
    page(request) {
      const [, account] = match(request, /^\/embed\/@(.+)$/) ?? [];
      const [, number] = /^ferry\.kettle\.(\d+)$/.exec(account ?? '') ?? [];
      if (number !== undefined) {
        const names = {
          'ferry.kettle': `ferry.kettle.${number}`,
          'Ferry.Kettle': `Ferry.Kettle.${number}`,
          [firstVideo]: videoOf(number),
        };
        return html(recordedPage('shortvideo/profile/embed-account.html', names));
      }
      if (account === 'mira.kettle') return html(recordedPage('shortvideo/videos/list.html'));
      if (match(request, /^\/embed\/tag\/harbour$/))
        return html(recordedPage('shortvideo/search/harbour.html'));
      const [, id = ''] = match(request, /^\/embed\/v2\/(\d+)$/) ?? [];
      const [, copy] = /^757200000(\d{5})00001$/.exec(id) ?? [];
      if (copy === undefined || Number(copy) === 0) return page(videoEmbeds[id]);
      const videoNames = { 'Ferry.Kettle': `Ferry.Kettle.${Number(copy)}`, [firstVideo]: id };
      return html(recordedPage('shortvideo/profile/embed-video.html', videoNames));
    },
  },
  {
    name: 'TikTok oEmbed',
    routes: ['profile', 'videos', 'video', 'comments'].map((endpoint) => `shortvideo/${endpoint} oembed`),
    takes: ({ path }) => path === '/oembed',
    page: () => json('{"version":"1.0","type":"rich"}'),
  },
  {
    name: 'TikTok comments',
    routes: ['shortvideo/comments api'],
    takes: ({ path }) => path === '/api/comment/list/',
    page: ({ query }) =>
      json(recordedPage(`shortvideo/comments/answer-${query.get('cursor') === '0' ? 1 : 2}.json`)),
  },
  {
    name: 'TikTok keyword list',
    routes: ['shortvideo/search discover'],
    takes: ({ path }) => path === '/api/seo/kap/video_list/',
    page: ({ query }) =>
      json(recordedPage(`shortvideo/search/words-${query.get('offset') === '0' ? 1 : 2}.json`)),
  },
  {
    name: 'TikTok pages',
    routes: [
      ...['profile', 'videos', 'comments'].map((one) => `shortvideo/${one} page`),
      ...['videos', 'video', 'search'].map((one) => `shortvideo/${one} page-video`),
    ],
    takes: ({ host }) => host === 'www.tiktok.com',
    page(request) {
      const [, id] = match(request, /^\/@_\/video\/(\d+)$/) ?? [];
      if (id !== undefined) return page(videoPages[id] ?? copiedVideo(id));
      const [, account] = match(request, /^\/@([\w.]+)$/) ?? [];
      return account?.startsWith('ferry.kettle.') === true
        ? html(recordedPage('shortvideo/profile/rich.html', { 'mira.kettle': account }))
        : undefined;
    },
    // The waiting page of 1.2 to 1.5 KB.
    home: waitingPage,
  },
];
