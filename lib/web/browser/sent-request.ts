import type { Page, PageRequestByScript } from '../page-source.js';

export interface SentRequest {
  readonly url: string;
  /** Body of a POST; null without one. */
  readonly body: string | null;
}

/** Decodes percent-encoded bytes that form text, and leaves the others. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

type Signs = Pick<PageRequestByScript, 'params' | 'carries'>;

/** The strings of a request in which its signs may appear, encoded and decoded. */
function textsOf({ url, body }: SentRequest): string[] {
  return [
    url,
    decodePercents(url),
    ...(body === null ? [] : [body, decodePercents(body.replaceAll('+', ' '))]),
  ];
}

/** True if the URL or body has all the signs. */
function carriesAll(request: SentRequest, { params = {}, carries = [] }: Signs): boolean {
  const { url, body } = request;
  const query = new URL(url).searchParams;
  const form = body === null || /^\s*[[{]/.test(body) ? undefined : new URLSearchParams(body);
  const names = Object.entries(params);
  if (!names.every(([name, value]) => query.get(name) === value || form?.get(name) === value)) return false;
  if (carries.length === 0) return true;
  const texts = textsOf(request);
  return carries.every((sign) => texts.some((text) => text.includes(sign)));
}

const isOnPath = (path: string, requestedPath: string) =>
  requestedPath.endsWith('/')
    ? path.startsWith(requestedPath)
    : path === requestedPath || path === `${requestedPath}/`;

/** True for a request for any part of the wanted list. */
export function isOfKind(request: SentRequest, target: PageRequestByScript): boolean {
  if (!URL.canParse(request.url)) return false;
  const { pathname } = new URL(request.url);
  return target.paths.some((path) => isOnPath(pathname, path)) && carriesAll(request, target);
}

export function isLaterPart(request: SentRequest, { later }: PageRequestByScript): boolean {
  return later !== undefined && textsOf(request).some((text) => later.test(text));
}

/** True for a request for the wanted part; by default the first. */
export function isExpectedPart(request: SentRequest, target: PageRequestByScript): boolean {
  return target.from === undefined ? !isLaterPart(request, target) : carriesAll(request, target.from);
}

/** Returns a key shared by all parts of a list. */
export function kindKey({ page, paths, params, carries }: PageRequestByScript): string {
  return JSON.stringify([page, paths, params ?? null, carries ?? null]);
}

/** True for a document that contains one of the strings, or if none is required. */
export function holdsOne({ body }: Pick<Page, 'body'>, holds: readonly string[]): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return holds.length === 0 || holds.some((text) => bytes.includes(text));
}
