import type { FastifyRequest } from 'fastify';
import { nextPath } from './routes/sign-in.js';
import { UploadedFile } from './uploads.js';

/** Bytes of a form, at most, that comes back to whoever could not send it. */
const maxKeptBytes = 256 * 1024;

/** What somebody typed into a form that was not taken. */
export interface KeptForm {
  /** Where it is sent to. */
  readonly action: string;
  /** Its fields; one that was ticked several times comes as often. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The files that must be chosen once more, as no page may choose one: the name of the field, and of the file. */
  readonly files: readonly (readonly [name: string, file: string])[];
}

/** The page of the dashboard that a form was sent from; the first page where the browser names none. */
export function formPage({ headers: { referer = '' }, host }: FastifyRequest): string {
  const page = URL.canParse(referer) ? new URL(referer) : null;
  return nextPath(page?.host === host ? `${page.pathname}${page.search}` : undefined);
}

/** The page to sign in on, which leads to a path afterwards. */
export const signInFor = (path: string) => `/sign-in?next=${encodeURIComponent(path)}`;

/** True for a form that is read although nobody is signed in, to give its text back. */
export function isKeepable({ headers, is404 }: FastifyRequest): boolean {
  const { 'content-length': length, 'content-type': type = '' } = headers;
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type);
  return isForm && !is404 && length !== undefined && Number(length) <= maxKeptBytes;
}

/** True only where the browser says that a page of this server has sent the form. */
function isSaidToBeOurs({ headers, host }: FastifyRequest): boolean {
  const { origin = '', 'sec-fetch-site': site } = headers;
  return site === 'same-origin' || (URL.canParse(origin) && new URL(origin).host === host);
}

/** The text of a form that was not taken; null where there is none, or where another site may have written it. */
export function keptForm(request: FastifyRequest): KeptForm | null {
  const { body, url } = request;
  if (typeof body !== 'object' || body === null || !isSaidToBeOurs(request)) return null;
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > maxKeptBytes) return null;
  const fields: [string, string][] = [];
  const files: [string, string][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (name === '_csrf') continue;
    for (const one of [value].flat() as readonly unknown[]) {
      if (typeof one === 'string') fields.push([name, one]);
      else if (one instanceof UploadedFile && one.name !== '') files.push([name, one.name]);
      else if (one instanceof UploadedFile && one.isGiven) fields.push([name, one.content.toString()]);
    }
  }
  const isBlank = fields.every(([, value]) => value.trim() === '') && files.length === 0;
  return isBlank ? null : { action: url, fields, files };
}
