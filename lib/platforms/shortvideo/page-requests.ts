import type { PageRequest } from '../../web/page-source.js';
import { profileUrl, videoUrl } from './urls.js';

/** The name of the data scope that whole pages hold. A browser waits for it, as the page's scripts may lead to it. */
export const inVideoPage = ['"webapp.video-detail"'];
export const inProfilePage = ['"webapp.user-detail"'];

/** The page of a video. */
export const videoPage = (id: string): PageRequest => ({
  url: videoUrl(id),
  browser: { holds: inVideoPage },
});

/** The page of an account. */
export const profilePage = (username: string): PageRequest => ({
  url: profileUrl(username),
  browser: { holds: inProfilePage },
});
