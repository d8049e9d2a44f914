import type { ItemLadder } from '../../routes/complete-items.js';
import type { PhotosocialPost } from './objects.js';
import { postDocument } from './routes/document.js';
import { postPage } from './routes/page.js';
import { postEmbed } from './routes/post-embed.js';
import type { Post } from './subject.js';

/** How posts of a list are completed: from the post's own data, page or embed page. */
export const completedPosts: ItemLadder<PhotosocialPost, Pick<Post, 'guest'>> = {
  identify: ({ id }, { guest }): Post => ({ shortcode: id, guest }),
  routes: [
    { route: postDocument, fields: ['timestamp'] },
    { route: postPage, fields: ['timestamp'] },
    { route: postEmbed, fields: ['comments_count'] },
  ],
};
