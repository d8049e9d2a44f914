import { ExtractError } from '../../errors/extract-error.js';
import type { PageRequest } from '../../web/page-source.js';
import { profileUrl, videoUrl } from './urls.js';

/** The data scope of complete pages. A browser waits for it, because the page's scripts may redirect to it. */
export const inVideoPage = ['"webapp.video-detail"'];
export const inProfilePage = ['"webapp.user-detail"'];

export const videoPage = (id: string): PageRequest => ({
  url: videoUrl(id),
  browser: { holds: inVideoPage },
});

export const profilePage = (username: string): PageRequest => ({
  url: profileUrl(username),
  browser: { holds: inProfilePage },
});

/**
 * Reads a list that a page in a browser requests, after the page itself (`request`), which says whether the subject is
 * missing or private. If an unreadable page requests no list, the error is the page's. Visits saved by 0.1.0 have only
 * the list.
 */
export async function afterPage<Answer, List>(
  request: () => Promise<Answer>,
  readList: (answer: Answer | undefined) => Promise<List>,
): Promise<List> {
  let answer: Answer | undefined;
  let refusal: ExtractError | undefined;
  try {
    answer = await request();
  } catch (error) {
    const isOpen =
      error instanceof ExtractError && error.type === 'platform' && error.code !== 'platform_timeout';
    if (!isOpen) throw error;
    refusal = error;
  }
  try {
    return await readList(answer);
  } catch (error) {
    const isBlocked = error instanceof ExtractError && error.code === 'platform_blocked';
    throw isBlocked ? (refusal ?? error) : error;
  }
}
