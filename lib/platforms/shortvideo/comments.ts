import { defineEndpoint } from '../../endpoint.js';
import { textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { listLadder } from '../../routes/ladder.js';
import { shortvideoComment } from './objects.js';
import { apiComments, maxComments } from './routes/api-comments.js';
import { browserComments } from './routes/browser-comments.js';
import { embedComments } from './routes/embed-comments.js';
import { oembedVideo } from './routes/oembed.js';
import { pageComments } from './routes/page-comments.js';
import { resolveVideo } from './short-link.js';
import { site } from './site.js';
import { isVideoId, type VideoReference, videoOf, videoParams } from './urls.js';
import { unconfirmedVideo, withheldVideo } from './withheld.js';

export const comments = defineEndpoint({
  path: 'shortvideo/comments',
  operation: 'get_shortvideo_comments',
  summary: 'TikTok comments: on a video, a page at a time',
  description: [
    'Requests the same list as the video page, without a signature: the platform answers some visitors and refuses others, and a refusal is platform_blocked, never an empty list. If the list is refused, the video page is read: its form for phones has the first ten comments, without a next page; such an answer is cached for minutes only. With a browser, the page itself requests the list.',
    'Comments come in the platform’s order. A reply that the list includes follows its comment, with parent_comment_id set; other replies are only counted, in reply_count. TikTok shows visitors a part of long lists, such as 150 of 540 comments.',
    'A page may have fewer than limit. You get an empty list only if the video’s own page or its embed page also says that there are no comments.',
  ].join(' '),
  credits: 3,
  cacheSeconds: 3600,
  site,
  params: videoParams,
  exactlyOne: ['url', 'id'],
  page: { max: maxComments },
  returns: shortvideoComment,
  many: true,
  columns: ['text', 'username', 'like_count', 'create_time', 'reply_count', 'parent_comment_id', 'id'],
  identify: videoOf,
  ladder: listLadder({
    // A position contains the video, so a short link is followed once.
    async resolve(identity: VideoReference, session, { part }) {
      const id = textOrNull(at(part, 'id'));
      return id !== null && isVideoId(id) ? { id } : resolveVideo(identity, session);
    },
    routes: [apiComments, pageComments, embedComments],
    browser: [browserComments],
    witnesses: [oembedVideo],
    withheld: withheldVideo,
    unconfirmed: unconfirmedVideo,
  }),
});
