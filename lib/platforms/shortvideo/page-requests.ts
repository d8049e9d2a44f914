import { ExtractError } from '../../errors/extract-error.js';
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

/**
 * Reads a list that a page in a browser asks for by itself, after the page itself (`read`), which says what is missing
 * or private. Where a page that cannot be read asks for no list, the error is the page's. Visits that 0.1.0 saved have
 * the list alone.
 */
export async function afterPage<Said, List>(
  read: () => Promise<Said>,
  readList: (said: Said | undefined) => Promise<List>,
): Promise<List> {
  let said: Said | undefined;
  let refusal: ExtractError | undefined;
  try {
    said = await read();
  } catch (error) {
    const isOpen =
      error instanceof ExtractError && error.type === 'platform' && error.code !== 'platform_timeout';
    if (!isOpen) throw error;
    refusal = error;
  }
  try {
    return await readList(said);
  } catch (error) {
    const isBlocked = error instanceof ExtractError && error.code === 'platform_blocked';
    throw isBlocked ? (refusal ?? error) : error;
  }
}
