import type { Page, PageRequestByScript } from '../page-source.js';

/** A request that a page sent, as far as it is told apart by. */
export interface SentRequest {
  readonly url: string;
  /** Body of a POST; null where there is none. */
  readonly body: string | null;
}

/** Percent signs undone, those alone that stand for text. */
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

/** The texts of a request in which its signs may stand, encoded and not. */
function textsOf({ url, body }: SentRequest): string[] {
  return [
    url,
    decodePercents(url),
    ...(body === null ? [] : [body, decodePercents(body.replaceAll('+', ' '))]),
  ];
}

/** True where a request carries all the signs, in its address or its body. */
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

const isOnPath = (path: string, wanted: string) =>
  wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted || path === `${wanted}/`;

/** True for a request of the kind: the list that is asked for, whichever part of it. */
export function isOfKind(request: SentRequest, wanted: PageRequestByScript): boolean {
  if (!URL.canParse(request.url)) return false;
  const { pathname } = new URL(request.url);
  return wanted.paths.some((path) => isOnPath(pathname, path)) && carriesAll(request, wanted);
}

/** True for a request of the kind that names a part other than the first. */
export function isLaterPart(request: SentRequest, { later }: PageRequestByScript): boolean {
  return later !== undefined && textsOf(request).some((text) => later.test(text));
}

/** True for a request of the kind that asks for the wanted part: the first one where none is named. */
export function isWantedPart(request: SentRequest, wanted: PageRequestByScript): boolean {
  return wanted.from === undefined ? !isLaterPart(request, wanted) : carriesAll(request, wanted.from);
}

/** A key that all parts of one list share. */
export function kindKey({ page, paths, params, carries }: PageRequestByScript): string {
  return JSON.stringify([page, paths, params ?? null, carries ?? null]);
}

/** True for a document that holds one of the texts, or where none is looked for. */
export function holdsOne({ body }: Pick<Page, 'body'>, holds: readonly string[]): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return holds.length === 0 || holds.some((text) => bytes.includes(text));
}
