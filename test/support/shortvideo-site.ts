import type { Answers, SiteAnswer, SiteRequest } from './browser-site.js';
import { type ListPage, type ListScripts, listPage } from './list-page.js';

/** A video's page that computes a token and requests the comments with it, more of them by scrolling. */
export const videoId = '7571863205253778710';
export const commentsOfVideo = 55;
const aPage = 20;

/** The token that the page's scripts compute, and without which the list is refused. */
const tokenOf = (id: string, cursor: number) => String((Number(id.slice(-6)) * 31 + cursor * 7) % 99991);
const token = '((id, cursor) => String((Number(id.slice(-6)) * 31 + cursor * 7) % 99991))';

function scopePage(scope: string, data: object, body = ''): string {
  const state = JSON.stringify({ __DEFAULT_SCOPE__: { [scope]: data } });
  return `<!doctype html><title>A page</title>
<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${state}</script>${body}`;
}

/** Requests a list with the page's token for `id`, and parses the answer. */
const listScripts = (address: string, items: string, id: string): ListScripts => ({
  ask: `(cursor) => fetch(${address} + cursor + '&X-Token=' + ${token}('${id}', Number(cursor))).then((one) => one.text())`,
  read: `(text) => {
    const answer = JSON.parse(text);
    return { rows: (answer.${items} || []).length, next: answer.has_more || answer.hasMore ? String(answer.cursor) : null };
  }`,
});

const item = (id: string, at: number) => ({
  id,
  desc: `Video ${at} #bread`,
  createTime: 1_700_000_000 - at,
  video: {
    duration: 10 + at,
    cover: `https://p16.tiktokcdn.com/${id}.jpg`,
    playAddr: `https://v16.tiktokcdn.com/${id}`,
  },
  author: { uniqueId: 'baker' },
  stats: { playCount: 100 + at, diggCount: at, commentCount: 1, shareCount: 0, collectCount: 2 },
  challenges: [{ title: 'bread' }],
  music: { id: '77', title: 'Dough', authorName: 'baker', original: true, duration: 10 },
});

export const videoPageOf = (id: string, body = '') =>
  scopePage(
    'webapp.video-detail',
    {
      statusCode: 0,
      itemInfo: { itemStruct: { ...item(id, 1), stats: { commentCount: commentsOfVideo, playCount: 3 } } },
    },
    body,
  );

const comment = (id: string, at: number) => ({
  cid: String(9_000_000 + at),
  aweme_id: id,
  text: `Comment ${at}`,
  create_time: 1_700_000_000 - at,
  digg_count: at,
  reply_comment_total: 0,
  reply_id: '0',
  user: { unique_id: `user${at}` },
});

const json = (body: object): SiteAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The list of comments: refused, by an empty answer, without the page's token. */
function commentList({ query }: SiteRequest): SiteAnswer {
  const id = query.get('aweme_id') ?? '';
  const cursor = Number(query.get('cursor'));
  if (query.get('X-Token') !== tokenOf(id, cursor)) return { body: '' };
  const rows = Array.from({ length: Math.min(aPage, commentsOfVideo - cursor) }, (_, at) =>
    comment(id, cursor + at),
  );
  const end = cursor + rows.length;
  return json({ status_code: 0, comments: rows, cursor: end, has_more: end < commentsOfVideo ? 1 : 0 });
}

export const videosOfAccount = 75;
const anItemPage = 30;
const idsOf = (videos: number) =>
  Array.from({ length: videos }, (_, at) => String(7_571_863_205_253_000_000n + BigInt(999 - at)));

/** The list of an account's videos, whose cursors are its own in every `visit` where `shifting`. */
function itemList({ query }: SiteRequest, videoIds: readonly string[], shifting: number): SiteAnswer {
  const cursor = Number(query.get('cursor'));
  if (query.get('X-Token') !== tokenOf('000001', cursor)) return { body: '' };
  const from = cursor === 0 ? 0 : cursor - shifting;
  const itemList = videoIds.slice(from, from + anItemPage).map((id, at) => item(id, from + at));
  const end = from + itemList.length;
  return json({ statusCode: 0, itemList, hasMore: end < videoIds.length, cursor: String(end + shifting) });
}

/** The window that the embed page shows: the newest ten. */
function embedPage(videoIds: readonly string[]): SiteAnswer {
  const videoList = videoIds.slice(0, 10).map((id) => ({ id, desc: `Video ${id}`, playCount: 7 }));
  const entry = { userInfo: { uniqueId: 'baker' }, videoList };
  const state = JSON.stringify({ source: { data: { '/embed/@baker': entry } } });
  return { body: `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${state}</script>` };
}

const profileWith = (videoCount: number) => ({
  statusCode: 0,
  userInfo: {
    user: {
      uniqueId: 'baker',
      nickname: 'Baker',
      signature: '',
      verified: false,
      avatarLarger: 'https://p16.tiktokcdn.com/a.jpg',
    },
    stats: { followerCount: 5, followingCount: 4, heart: 3, videoCount },
  },
});

/**
 * The answers of the platform's hosts to these pages. `shifting`: the cursors of the account's list hold in one visit
 * alone.
 */
export function shortvideoSite({
  shifting = false,
  walled = false,
  videos = videosOfAccount,
  how = {},
}: {
  shifting?: boolean;
  walled?: boolean;
  videos?: number;
  how?: ListPage;
} = {}): Answers {
  let visits = 0;
  const videoIds = idsOf(videos);
  const requests = new Set<string>();
  return (request) => {
    if (how.againMs !== undefined && request.path.startsWith('/api/') && !requests.has(request.path)) {
      requests.add(request.path);
      return { body: '' };
    }
    if (walled && !request.path.startsWith('/login'))
      return { status: 302, headers: { location: '/login?next=x' } };
    const id = /^\/@[^/]*\/video\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) {
      const scripts = listScripts(`'/api/comment/list/?aweme_id=${id}&count=20&cursor='`, 'comments', id);
      return { body: videoPageOf(id, listPage(scripts, how)) };
    }
    if (request.path === '/@baker') {
      visits += 1;
      const scripts = listScripts("'/api/post/item_list/?secUid=MS4&count=30&cursor='", 'itemList', '000001');
      return { body: scopePage('webapp.user-detail', profileWith(videos), listPage(scripts, how)) };
    }
    if (request.path === '/search/video') {
      const query = request.query.get('q') ?? '';
      const address = `'/api/search/item/full/?keyword=${encodeURIComponent(query)}&offset='`;
      return {
        body: scopePage('seo.abtest', {}, listPage(listScripts(address, 'item_list', '000001'), how)),
      };
    }
    if (request.path === '/api/search/item/full/') {
      const offset = Number(request.query.get('offset'));
      if (request.query.get('X-Token') !== tokenOf('000001', offset)) return { body: '' };
      if (request.query.get('keyword') !== 'rye bread')
        return json({ status_code: 0, has_more: 0, cursor: 0 });
      const rows = videoIds.slice(offset, offset + 12).map((one, at) => item(one, offset + at));
      return json({
        status_code: 0,
        item_list: rows,
        has_more: offset < 24 ? 1 : 0,
        cursor: offset + rows.length,
      });
    }
    if (request.path === '/embed/@baker') return embedPage(videoIds);
    if (request.path === '/api/comment/list/') return commentList(request);
    if (request.path === '/api/post/item_list/') return itemList(request, videoIds, shifting ? visits : 0);
    if (request.path.startsWith('/login')) return { body: '<title>Log in</title>' };
    return undefined;
  };
}
