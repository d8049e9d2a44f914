import { press } from './gestures.js';
import { hostOf, type OpenPage } from './open-page.js';

/** True for the address of a host that asks visitors for something before it shows a page. */
export function isWall({ site }: Pick<OpenPage, 'site'>, url: string): boolean {
  return site.browser?.walls?.some(({ host }) => host === hostOf(url)) === true;
}

/** Declines an interstitial or a dialog over the page, as a visitor would. Returns true if there was one. */
export async function passWalls(open: OpenPage): Promise<boolean> {
  let hasPassed = false;
  for (const { host, press: selector } of open.site.browser?.walls ?? []) {
    if (host !== undefined && hostOf(open.page.url()) !== host) continue;
    hasPassed = (await press(open, selector)) || hasPassed;
  }
  return hasPassed;
}
