import type { FastifyReply } from 'fastify';
import { type ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';
import { withoutSecrets } from '../../output/log.js';

export const protocolCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  badRequest: -32000,
};

/** A request that the protocol refuses, with the status that the protocol prescribes. */
export class ProtocolRefusal extends Error {
  readonly status: number;
  readonly protocolCode: number;
  readonly code: ErrorCode;

  constructor(
    status: number,
    message: string,
    { protocolCode = protocolCodes.badRequest, code = 'invalid_parameter' as ErrorCode } = {},
  ) {
    super(message);
    this.status = status;
    this.protocolCode = protocolCode;
    this.code = code;
  }
}

/** Sends a protocol error whose data is the contract's error object. A message may contain a key. */
export function sendProtocolError(
  { status, code }: { readonly status: number; readonly code: number },
  error: ExtractError,
  reply: FastifyReply,
): FastifyReply {
  const body = { jsonrpc: '2.0', error: { code, message: error.message, data: error }, id: null };
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(withoutSecrets(JSON.stringify(body)));
}

interface ProtocolErrorBody {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const bodyCodes: ReadonlySet<number> = new Set([protocolCodes.parseError, protocolCodes.invalidRequest]);

/** Converts a refusal by the SDK to an error of the catalogue. */
export function refusalOf(status: number, { code, message }: ProtocolErrorBody['error']): ExtractError {
  if (status >= 500) return new ExtractError('internal_error');
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return new ExtractError(
    bodyCodes.has(code) || status === 415 ? 'invalid_body' : 'invalid_parameter',
    sentence,
  );
}

/** Returns the error in a response of the SDK, and the text of its body. Null if it is not an error. */
export async function protocolErrorIn(response: Response): Promise<ProtocolErrorBody | null> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.ok || !isJson) return null;
  const body = (await response.clone().json()) as Partial<ProtocolErrorBody> | null;
  return typeof body?.error?.message === 'string' ? (body as ProtocolErrorBody) : null;
}
