import type { Page } from '../../web/page-source.js';
import { isData } from './response-frame.js';

/** The address that the wall's forms submit to. */
export const saveAddress = 'https://consent.google.com/save';
/** A larger page is not a consent page. */
export const maxCharacters = 2_000_000;

/** Texts of the wall, on whatever host (2026-09). */
const signs = [
  `action="${saveAddress}"`,
  '<base href="https://consent.google.com/">',
  "productName: 'ConsentUi'",
];

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '');

/** True for the consent wall, which visitors from some countries see first. */
export function isConsentWall(page: Page): boolean {
  if (isData(page)) return false;
  if (hostOf(page.url).startsWith('consent.google.')) return true;
  if (page.status >= 300 && page.status < 400) {
    return hostOf(page.headers.location ?? '').startsWith('consent.google.');
  }
  return page.body.byteLength < maxCharacters && signs.some((sign) => page.text().includes(sign));
}
