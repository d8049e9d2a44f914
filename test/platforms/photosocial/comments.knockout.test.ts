import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { knockOut } from '../../support/knockout.js';
import { without } from './without.js';

const isComment = (object: object) => 'created_at' in object;

await knockOut(comments as Endpoint, 'shape of 2021: threads with their replies', {
  username: { mandatory: true, remove: without(['username']) },
  text: { mandatory: true, remove: without(['text'], isComment) },
  timestamp: { mandatory: true, remove: without(['created_at'], isComment) },
  like_count: without(['edge_liked_by'], isComment),
  reply_count: without(['count'], (object) => 'edges' in object),
  parent_id: without(['id'], (object) => 'edge_threaded_comments' in object),
});
