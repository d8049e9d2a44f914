import { withoutPaths } from '../../support/knockout.js';

type Path = readonly (string | number)[];

/** Returns the page without some paths of the JSON in the script element with that id; unchanged if it has none. */
function withoutInScript(html: string, id: string, paths: readonly Path[]): string {
  const open = html.indexOf('>', html.indexOf(`<script id="${id}"`)) + 1;
  if (!html.includes(`<script id="${id}"`)) return html;
  const close = html.indexOf('</script>', open);
  return html.slice(0, open) + withoutPaths(html.slice(open, close), ...paths) + html.slice(close);
}

/** A page of the platform's site without some paths of one of its data scopes. */
export function withoutInScope(html: string, scope: string, ...paths: readonly Path[]): string {
  const fullPaths = paths.map((path) => ['__DEFAULT_SCOPE__', scope, ...path]);
  return withoutInScript(html, '__UNIVERSAL_DATA_FOR_REHYDRATION__', fullPaths);
}

/** A video page without some paths of its item. */
export function withoutInItem(html: string, ...paths: readonly Path[]): string {
  const fullPaths = paths.map((path) => ['itemInfo', 'itemStruct', ...path]);
  return withoutInScope(html, 'webapp.video-detail', ...fullPaths);
}

/** An embed page without some paths of every video of its list. */
export function withoutInList(html: string, ...paths: readonly Path[]): string {
  const fullPaths = paths.map((path) => ['source', 'data', '*', 'videoList', '*', ...path]);
  return withoutInScript(html, '__FRONTITY_CONNECT_STATE__', fullPaths);
}

/** An embed page without some paths of what it says of one video, or of its account. */
export function withoutInEmbed(html: string, ...paths: readonly Path[]): string {
  const fullPaths = paths.map((path) => ['source', 'data', '*', ...path]);
  return withoutInScript(html, '__FRONTITY_CONNECT_STATE__', fullPaths);
}

/** Paths of each video field in its item. */
export const itemPaths: Readonly<Record<string, readonly Path[]>> = {
  video_description: [['desc']],
  create_time: [['createTime']],
  duration: [['video', 'duration']],
  cover_image_url: [
    ['video', 'cover'],
    ['video', 'originCover'],
    ['video', 'dynamicCover'],
    ['video', 'zoomCover'],
    ['imagePost', 'cover'],
  ],
  view_count: [
    ['stats', 'playCount'],
    ['statsV2', 'playCount'],
  ],
  like_count: [
    ['stats', 'diggCount'],
    ['statsV2', 'diggCount'],
  ],
  comment_count: [
    ['stats', 'commentCount'],
    ['statsV2', 'commentCount'],
  ],
  share_count: [
    ['stats', 'shareCount'],
    ['statsV2', 'shareCount'],
  ],
  favorites_count: [
    ['stats', 'collectCount'],
    ['statsV2', 'collectCount'],
  ],
  hashtag_names: [['challenges'], ['textExtra'], ['contents']],
  sound: [['music']],
  'sound.id': [['music', 'id']],
  'sound.title': [['music', 'title']],
  'sound.author': [['music', 'authorName']],
  'sound.is_original': [['music', 'original']],
  'sound.duration': [['music', 'duration']],
  play_url: [
    ['video', 'playAddr'],
    ['video', 'PlayAddrStruct'],
    ['video', 'bitrateInfo'],
  ],
};

/** Paths of the fields that are also in the list of an embed page. */
export const listPaths: Readonly<Record<string, readonly Path[]>> = {
  video_description: [['desc']],
  cover_image_url: [['coverUrl'], ['originCoverUrl'], ['dynamicCoverUrl']],
  view_count: [['playCount']],
  play_url: [['playAddr']],
};

/** Paths of each video field on the video's own embed page. */
export const embedPaths: Readonly<Record<string, readonly Path[]>> = Object.fromEntries(
  Object.entries({
    video_description: [['itemInfos', 'text']],
    create_time: [['itemInfos', 'createTime']],
    duration: [['itemInfos', 'video', 'videoMeta', 'duration']],
    cover_image_url: [
      ['itemInfos', 'covers'],
      ['itemInfos', 'coversOrigin'],
      ['imagePostInfo', 'displayImages'],
    ],
    view_count: [['itemInfos', 'playCount']],
    like_count: [['itemInfos', 'diggCount']],
    comment_count: [['itemInfos', 'commentCount']],
    share_count: [['itemInfos', 'shareCount']],
    hashtag_names: [['challengeInfoList'], ['textExtra']],
    sound: [['musicInfos']],
    'sound.id': [['musicInfos', 'musicId']],
    'sound.title': [['musicInfos', 'musicName']],
    'sound.author': [['musicInfos', 'authorName']],
    'sound.is_original': [['musicInfos', 'original']],
    play_url: [['itemInfos', 'video', 'urls']],
  }).map(([field, paths]) => [field, paths.map((path) => ['videoData', ...path])]),
);

/** A page of any kind without a field of its videos. */
export function withoutVideoField(html: string, url: string, field: string): string {
  if (url.includes('/embed/v2/')) return withoutInEmbed(html, ...(embedPaths[field] ?? []));
  if (url.includes('/embed/')) return withoutInList(html, ...(listPaths[field] ?? []));
  return withoutInItem(html, ...(itemPaths[field] ?? []));
}
