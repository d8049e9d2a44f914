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

/** Takes the lines of a log. */
export interface LogSink {
  write(line: string): void;
}

const errorLevel = pino.levels.values.error;

const secretPrefixes = [keyPrefix, webhookSecretPrefix];
/** Where the tokens of shared links stand, as a path may spell it: in any case, and encoded. */
const linkFolders = ['/feeds/', '/tables/'].map((folder) =>
  Array.from(folder, (letter) => `(?:${letter}|%${Buffer.from(letter).toString('hex')})`).join(''),
);
const secrets = new RegExp(
  `(${secretPrefixes.join('|')})[\\w-]+|(${linkFolders.join('|')})[\\w%-]{20,}`,
  'gi',
);

/** Text without the secrets that somebody may have put where they do not belong: a path, a parameter's name. */
export function withoutSecrets(text: string): string {
  return text.replace(secrets, '$1$2…');
}

/** A sink that no secret gets into, whatever is logged. */
function sinkWithoutSecrets(sink: LogSink): LogSink {
  return { write: (line) => sink.write(withoutSecrets(line)) };
}

/** The server's log, a line of JSON for each event, that no secret gets into. */
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

/** The part of a request that the log holds: never its query string, headers or address. */
function requestFields(request: FastifyRequest): object {
  const path = request.url.split('?', 1)[0] ?? '';
  return {
    request_id: request.id,
    method: request.method,
    path: path.slice(0, 200),
    ms: age(request.id),
  };
}

/** Logs an answered request, at the level `debug`: the ledger has it too. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ ...requestFields(request), status: reply.statusCode }, 'answered');
}

/** Logs that a browser gave an answer, where one did: the answer's `meta` does not say so. */
export function logVisited(
  log: { info(fields: object, text: string): void },
  { path: endpoint }: Pick<Endpoint, 'path'>,
  { browsed, meta }: Pick<Answer, 'browsed' | 'meta'>,
): void {
  if (browsed === true) log.info({ request_id: meta.request_id, endpoint }, 'read by the browser');
}

/** Logs a failed request. Our own faults are errors with their cause, those of a platform are warnings. */
export function logFailure(error: ExtractError, request: FastifyRequest): void {
  const { code, status, type } = error;
  const fields = { ...requestFields(request), status, code };
  if (type === 'internal') {
    request.log.error({ ...fields, err: error.cause instanceof Error ? error.cause : error }, error.message);
  } else if (type === 'platform') {
    const seen = error.seen.length === 0 ? {} : { seen: seenLine(error.seen) };
    request.log.warn({ ...fields, ...seen }, error.message);
  } else request.log.info(fields, 'refused');
}
