import type { ItemLadder } from '../../routes/complete-items.js';
import type { ShortvideoVideo } from './objects.js';
import { embedVideo } from './routes/embed-video.js';
import { pageVideo } from './routes/page-video.js';

/** Routes to the details of a listed video. Complete rows, as in a browser's list, need none. */
export const videoDetails: ItemLadder<ShortvideoVideo> = {
  routes: [
    { route: embedVideo, fields: ['create_time', 'like_count', 'comment_count', 'share_count'] },
    { route: pageVideo, fields: ['create_time', 'like_count', 'favorites_count'] },
  ],
};
