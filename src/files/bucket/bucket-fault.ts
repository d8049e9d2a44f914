/** A failed request to a bucket. The message is the end of a sentence, and contains no secret. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault';
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** S3's code, such as `NoSuchUpload`; null if the response had none. */
  readonly code: string | null;
  /** True if a retry may succeed. */
  readonly again: boolean;

  constructor(message: string, status: number | null, code: string | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.again = status === null || status >= 500 || status === 429 || code === 'RequestTimeout';
  }
}

const reasons: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket at EXTRACT_S3_ENDPOINT',
  InvalidAccessKeyId: 'it does not know the key; check EXTRACT_S3_KEY_ID',
  SignatureDoesNotMatch: 'it rejects the signature; check EXTRACT_S3_SECRET and EXTRACT_S3_REGION',
  AccessDenied: 'the key lacks write permission',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  AuthorizationHeaderMalformed: 'it is in another region; check EXTRACT_S3_REGION',
  PermanentRedirect: 'the bucket is in another region; check EXTRACT_S3_ENDPOINT and EXTRACT_S3_REGION',
};

/** Returns the text of an XML element; null if there is none. */
export function elementOf(xml: string, name: string): string | null {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  if (value === undefined) return null;
  return value.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
}

export function answeredFault(status: number, text: string): BucketFault {
  const code = elementOf(text, 'Code');
  const safeCode = /^\w{1,60}$/.test(code ?? '') ? code : null;
  const response = `it responded with status ${status}${safeCode === null ? '' : ` (${safeCode})`}`;
  return new BucketFault((safeCode === null ? undefined : reasons[safeCode]) ?? response, status, safeCode);
}

export function silentFault(cause: unknown): BucketFault {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new BucketFault(`it cannot be reached, or the connection broke${code}`, null, null, cause);
}
