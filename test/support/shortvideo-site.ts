import type { Answers, Asked, Given } from './browser-site.js';

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
function commentList({ query }: Asked): Given {
  const id = query.get('aweme_id') ?? '';
  const cursor = Number(query.get('cursor'));
  if (query.get('X-Token') !== token(id, cursor)) return { body: '' };
  const rows = Array.from({ length: Math.min(aPage, commentsOfVideo - cursor) }, (_, at) =>
    comment(id, cursor + at),
  );
  const end = cursor + rows.length;
  return json({ status_code: 0, comments: rows, cursor: end, has_more: end < commentsOfVideo ? 1 : 0 });
}

/** What the platform's hosts answer, as far as these pages go. */
export const shortvideoSite: Answers = (asked) => {
  const id = /^\/@[^/]*\/video\/(\d+)$/.exec(asked.path)?.[1];
  if (id !== undefined) {
    const address =
      "'/api/comment/list/?aweme_id=ID&count=20&cursor=' + next + '&X-Token=' + token('ID', next)";
    return { body: videoPageOf(id, listScript(address.replaceAll('ID', id), 'comments')) };
  }
  if (asked.path === '/api/comment/list/') return commentList(asked);
  return undefined;
};
