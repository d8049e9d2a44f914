import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Answer } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import { seenLine } from '../../lib/errors/seen.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { age } from '../../lib/runtime/request-id.js';
import { webhookSecretPrefix } from '../../lib/webhook.js';
import type { ServerConfig } from '../config/server-config.js';
import { keyPrefix } from '../service/accounts/api-key.js';
import { RepeatedErrors } from './repeated-errors.js';

export interface LogSink {
  write(line: string): void;
}

const errorLevel = pino.levels.values.error;

const secretPrefixes = [keyPrefix, webhookSecretPrefix];
/** Paths with the token of a shared link, in any case and encoding. */
const linkFolders = ['/feeds/', '/tables/'].map((folder) =>
  Array.from(folder, (letter) => `(?:${letter}|%${Buffer.from(letter).toString('hex')})`).join(''),
);
const secrets = new RegExp(
  `(${secretPrefixes.join('|')})[\\w-]+|(${linkFolders.join('|')})[\\w%-]{20,}`,
  'gi',
);

/** Returns text without secrets that someone may have put in the wrong place, such as a path. */
export function withoutSecrets(text: string): string {
  return text.replace(secrets, '$1$2…');
}

function sinkWithoutSecrets(sink: LogSink): LogSink {
  return { write: (line) => sink.write(withoutSecrets(line)) };
}

/** The server's log, a line of JSON per event, without secrets. */
export function serverLog(
  level: ServerConfig['logLevel'],
  sink: LogSink,
  clock: Clock = systemClock,
): Logger {
  const errors = new RepeatedErrors(clock);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      hooks: {
        logMethod(values, method, number) {
          const write = (...some: typeof values) => method.apply(this, some);
          if (number === errorLevel) errors.log(values, write);
          else write(...values);
        },
      },
    },
    sinkWithoutSecrets(sink),
  );
}

function requestFields(request: FastifyRequest): object {
  // A word of this length may be a link's token in a mistyped path.
  const path = request.url.split('?', 1)[0]?.replace(/[\w%-]{40,}/g, '…') ?? '';
  return {
    request_id: request.id,
    method: request.method,
    path: path.slice(0, 200),
    ms: age(request.id),
  };
}

/** Logs an answered request at level `debug`, because the ledger records it too. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ ...requestFields(request), status: reply.statusCode }, 'answered');
}

/** Logs that a browser was used for an answer, which its `meta` does not say. */
export function logVisited(
  log: { info(fields: object, text: string): void },
  { path: endpoint }: Pick<Endpoint, 'path'>,
  { browsed, meta }: Pick<Answer, 'browsed' | 'meta'>,
): void {
  if (browsed === true) log.info({ request_id: meta.request_id, endpoint }, 'read by the browser');
}

/** Logs a failed request. Internal faults are errors with their cause; a platform's are warnings. */
export function logFailure(error: ExtractError, request: FastifyRequest): void {
  const { code, status, type } = error;
  const fields = { ...requestFields(request), status, code };
  if (type === 'internal') {
    request.log.error({ ...fields, err: error.cause instanceof Error ? error.cause : error }, error.message);
  } else if (type === 'platform') {
    const seenPages = error.seen.length === 0 ? {} : { seen: seenLine(error.seen) };
    request.log.warn({ ...fields, ...seenPages }, error.message);
  } else request.log.info(fields, 'refused');
}
