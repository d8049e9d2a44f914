import type { FastifyRequest } from 'fastify';
import { nextPath } from './routes/sign-in.js';
import { UploadedFile } from './uploads.js';

const maxFormBytes = 256 * 1024;

export interface UnsentForm {
  readonly action: string;
  /** Repeated for multiple choices. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Files that the user must choose again, because no page may choose one: the field's name, and the file's. */
  readonly files: readonly (readonly [name: string, file: string])[];
}

/** Returns the dashboard page that a form was sent from; the first page if the browser does not say. */
export function formPage({ headers: { referer = '' }, host }: FastifyRequest): string {
  const page = URL.canParse(referer) ? new URL(referer) : null;
  return nextPath(page?.host === host ? `${page.pathname}${page.search}` : undefined);
}

export const signInFor = (path: string) => `/sign-in?next=${encodeURIComponent(path)}`;

/** True for a form that is parsed without a session, to restore its fields. */
export function isRestorable({ headers, is404 }: FastifyRequest): boolean {
  const { 'content-length': length, 'content-type': type = '' } = headers;
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type);
  return isForm && !is404 && length !== undefined && Number(length) <= maxFormBytes;
}

/** True only if the browser says that a page of this server has sent the form. */
function isSaidToBeOurs({ headers, host }: FastifyRequest): boolean {
  const { origin = '', 'sec-fetch-site': site } = headers;
  return site === 'same-origin' || (URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * Returns the fields of a form that was not accepted; null if there are none, or if another site may have written them.
 */
export function unsentForm(request: FastifyRequest): UnsentForm | null {
  const { body, url } = request;
  if (typeof body !== 'object' || body === null || !isSaidToBeOurs(request)) return null;
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > maxFormBytes) return null;
  const fields: [string, string][] = [];
  const files: [string, string][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (name === '_csrf') continue;
    for (const one of [value].flat() as readonly unknown[]) {
      if (typeof one === 'string') fields.push([name, one]);
      else if (one instanceof UploadedFile && one.name !== '') files.push([name, one.name]);
      else if (one instanceof UploadedFile && one.hasContent) fields.push([name, one.content.toString()]);
    }
  }
  const isBlank = fields.every(([, value]) => value.trim() === '') && files.length === 0;
  return isBlank ? null : { action: url, fields, files };
}
