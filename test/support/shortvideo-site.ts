import type { Answers, Given, SiteRequest } from './browser-site.js';

/** A video's page that computes a token, and asks for its comments with it, further ones by scrolling. */
export const videoId = '7571863205253778710';
export const commentsOfVideo = 55;
const aPage = 20;

/** The token that the page's scripts compute, and without which the list is refused. */
const token = (id: string, cursor: number) => String((Number(id.slice(-6)) * 31 + cursor * 7) % 99991);

function scopePage(scope: string, data: object, script: string): string {
  const state = JSON.stringify({ __DEFAULT_SCOPE__: { [scope]: data } });
  return `<!doctype html><title>A page</title><main id="list"></main>
<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${state}</script><script>${script}</script>`;
}

/** Asks for a list, adds to the page what came, and asks for more when its end is scrolled to. */
const listScript = (address: string, items: string) => `
const token = (id, cursor) => String((Number(id.slice(-6)) * 31 + cursor * 7) % 99991);
let next = 0, busy = false;
async function more() {
  if (busy || next === null) return;
  busy = true;
  const answer = await fetch(${address}).then((response) => response.json());
  for (const item of answer.${items} || []) {
    const line = document.createElement('p');
    line.style.height = '200px';
    line.textContent = item.text || item.desc || '';
    document.getElementById('list').append(line);
  }
  next = answer.has_more || answer.hasMore ? Number(answer.cursor) : null;
  busy = false;
}
addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 100) more(); });
more();`;

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

export const videoPageOf = (id: string, script = '') =>
  scopePage(
    'webapp.video-detail',
    {
      statusCode: 0,
      itemInfo: { itemStruct: { ...item(id, 1), stats: { commentCount: commentsOfVideo, playCount: 3 } } },
    },
    script,
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

const json = (body: object): Given => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The list of comments: refused, by an empty answer, without the page's token. */
function commentList({ query }: SiteRequest): Given {
  const id = query.get('aweme_id') ?? '';
  const cursor = Number(query.get('cursor'));
  if (query.get('X-Token') !== token(id, cursor)) return { body: '' };
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
function itemList({ query }: SiteRequest, videoIds: readonly string[], shifting: number): Given {
  const cursor = Number(query.get('cursor'));
  if (query.get('X-Token') !== token('000001', cursor)) return { body: '' };
  const from = cursor === 0 ? 0 : cursor - shifting;
  const itemList = videoIds.slice(from, from + anItemPage).map((id, at) => item(id, from + at));
  const end = from + itemList.length;
  return json({ statusCode: 0, itemList, hasMore: end < videoIds.length, cursor: String(end + shifting) });
}

/** The window that the embed page shows: the newest ten. */
function embedPage(videoIds: readonly string[]): Given {
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
 * What the platform's hosts answer, as far as these pages go. `shifting`: the cursors of the account's list hold in one
 * visit alone.
 */
export function shortvideoSite({ shifting = false, walled = false, videos = videosOfAccount } = {}): Answers {
  let visits = 0;
  const videoIds = idsOf(videos);
  return (request) => {
    if (walled && !request.path.startsWith('/login'))
      return { status: 302, headers: { location: '/login?next=x' } };
    const id = /^\/@[^/]*\/video\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) {
      const address =
        "'/api/comment/list/?aweme_id=ID&count=20&cursor=' + next + '&X-Token=' + token('ID', next)";
      return { body: videoPageOf(id, listScript(address.replaceAll('ID', id), 'comments')) };
    }
    if (request.path === '/@baker') {
      visits += 1;
      const address =
        "'/api/post/item_list/?secUid=MS4&count=30&cursor=' + next + '&X-Token=' + token('000001', next)";
      return { body: scopePage('webapp.user-detail', profileWith(videos), listScript(address, 'itemList')) };
    }
    if (request.path === '/search/video') {
      const query = request.query.get('q') ?? '';
      const address = `'/api/search/item/full/?keyword=${encodeURIComponent(query)}&offset=' + next + '&X-Token=' + token('000001', next)`;
      return { body: scopePage('seo.abtest', {}, listScript(address, 'item_list')) };
    }
    if (request.path === '/api/search/item/full/') {
      const offset = Number(request.query.get('offset'));
      if (request.query.get('X-Token') !== token('000001', offset)) return { body: '' };
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
