import { createHash } from 'node:crypto';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { MediaAnswer, MediaPort } from '../../../lib/web/media-source.js';
import { writeFault } from '../batch-files/output-fault.js';
import type { MediaKind } from './media-kind.js';
import type { PartFile } from './part-file.js';

export interface DownloadedFile {
  readonly bytes: number;
  readonly type: string;
  /** Usual extension, without the dot. */
  readonly ending: string;
  readonly sha256: string;
}

/** Maximum disconnections in one download. */
const maxBreaks = 3;

const tooLarge = (maxBytes: number, kind: MediaKind) =>
  new ExtractError(
    'body_too_large',
    `It is larger than ${Math.floor(maxBytes / 1_000_000)} MB${maxBytes === kind.maxBytes ? `, and not ${kind.name}` : '. --media-max-mb sets the limit'}.`,
  );

function statusFault(status: number): ExtractError {
  if ([401, 403, 404, 410].includes(status)) {
    return new ExtractError(
      'invalid_url',
      `Its host responded with ${status}: the URL has expired, or the file was removed. Fetch the item again with --fresh.`,
    );
  }
  if (status >= 300 && status < 400) {
    return new ExtractError(
      'invalid_url',
      'Its host redirects to a host that is not one of the platform’s media hosts.',
    );
  }
  return new ExtractError('platform_unavailable', `Its host responded with ${status}.`);
}

/** Returns the size of the complete file according to a response; undefined if it does not say. */
function totalOf(answer: MediaAnswer, from: number): number | undefined {
  if (answer.status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.header('content-range') ?? '') ?? [];
    return Number(start) === from ? Number(total) : undefined;
  }
  const length = answer.header('content-length');
  return length === undefined ? undefined : Number(length);
}

function checkHeaders(answer: MediaAnswer, { types, name }: MediaKind): void {
  const type = (answer.header('content-type') ?? '').toLowerCase();
  if (!types.test(type)) {
    throw new ExtractError('platform_changed', `Its host sent ${type.split(';')[0]} instead of ${name}.`);
  }
  const encoding = answer.header('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new ExtractError('platform_unavailable', 'Its host sent an encoding that was not requested.');
  }
}

async function typeOf(
  file: string,
  kind: MediaKind,
): Promise<{ readonly mime: string; readonly ext: string }> {
  const type = await kind.typeOf(file);
  if (type !== null) return type;
  throw new ExtractError('platform_changed', `The received file is not ${kind.name}.`);
}

/** A failing disk is not the host's fault. */
function failedWrite(cause: unknown): never {
  throw writeFault(cause);
}

/** Writes a response to the part file. Throws if it is not what was requested. */
async function receive(
  answer: MediaAnswer,
  {
    part,
    address,
    from,
    maxBytes,
    kind,
  }: { part: PartFile; address: string; from: number; maxBytes: number; kind: MediaKind },
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  checkHeaders(answer, kind);
  const total = totalOf(answer, from);
  if (total !== undefined && total > maxBytes) throw tooLarge(maxBytes, kind);
  const validator = answer.header('etag') ?? answer.header('last-modified');
  const isRest = answer.status === 206;
  const origin =
    validator === undefined || validator.startsWith('W/') || total === undefined
      ? null
      : { address, validator, total };
  const hash = isRest ? await part.hash() : createHash('sha256');
  const handle = isRest ? await part.continue() : await part.begin(origin);
  let bytes = isRest ? from : 0;
  try {
    for await (const chunk of answer.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes, kind);
      hash.update(chunk);
      await handle.writeFile(chunk).catch(failedWrite);
    }
    await handle.sync().catch(failedWrite);
  } finally {
    await handle.close();
  }
  if (total !== undefined && bytes !== total) {
    throw new ExtractError('platform_changed', `Its host sent ${bytes} of ${total} bytes.`);
  }
  return { bytes, sha256: hash.digest('hex') };
}

export interface DownloadOptions {
  readonly source: MediaPort;
  readonly part: PartFile;
  readonly kind: MediaKind;
  readonly maxBytes: number;
  readonly signal: CallSignal;
}

const mismatch = new Error('The rest does not fit.');

/**
 * Downloads an address into a part file, continuing an earlier run or a broken connection. Throws the error for the
 * manifest; the part file stays if it can be continued.
 */
export async function download(
  address: string,
  { source, part, kind, maxBytes: limit, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const maxBytes = Math.min(limit, kind.maxBytes);
  const accepted = kind.accept === undefined ? {} : { accept: kind.accept };
  for (let breaks = 0; ; ) {
    const partial = await part.resumable(address);
    const from = partial?.bytes ?? 0;
    const rest = partial === null ? {} : { range: `bytes=${from}-`, 'if-range': partial.origin.validator };
    const headers: Readonly<Record<string, string>> = { ...accepted, ...rest };
    try {
      const complete = await source.fetch(
        address,
        headers,
        async (answer) => {
          const fits =
            answer.status === 206 && partial !== null && totalOf(answer, from) === partial.origin.total;
          if (answer.status === 416 || (answer.status === 206 && !fits)) throw mismatch;
          if (answer.status !== 200 && answer.status !== 206) throw statusFault(answer.status);
          return receive(answer, { part, address, from, maxBytes, kind });
        },
        signal,
      );
      const { mime, ext } = await typeOf(part.path, kind);
      return { ...complete, type: mime, ending: ext };
    } catch (error) {
      if (signal.aborted) throw error;
      const code = error instanceof ExtractError ? error.code : null;
      const isBroken = code === 'platform_unavailable' || code === 'platform_timeout';
      if (!isBroken && code !== 'platform_rate_limited') await part.remove();
      breaks += 1;
      if ((!isBroken && error !== mismatch) || breaks > maxBreaks) {
        throw error === mismatch
          ? new ExtractError('platform_unavailable', 'Its host sent mismatched parts of the file.')
          : error;
      }
    }
  }
}
