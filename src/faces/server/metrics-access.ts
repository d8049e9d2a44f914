import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isLoopback } from '../../config/loopback.js';
import type { ServerConfig } from '../../config/server-config.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Headers by which a proxy names its client. */
export const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

export interface MetricsAccessOptions extends Pick<ServerConfig, 'host' | 'metricsToken' | 'metricsOpen'> {
  /** The server's configured public address, without a trailing slash. */
  readonly publicAddress: string;
}

/**
 * Returns a check of who may read the metrics: with a metrics token, its holder; otherwise anyone, if the operator
 * allows it or only this machine reaches the server. Throws `invalid_api_key` and `missing_api_key`.
 */
export function metricsAccess(options: MetricsAccessOptions): (request: FastifyRequest) => void {
  const { host, metricsToken, metricsOpen, publicAddress } = options;
  if (metricsToken !== undefined) {
    const expected = digest(`Bearer ${metricsToken}`);
    return ({ headers }) => {
      if (timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
      throw new ExtractError('invalid_api_key', '/metrics requires the configured token.');
    };
  }
  if (metricsOpen) return () => undefined;
  const isPrivate = isLoopback(host) && isLoopback(new URL(publicAddress).hostname);
  return ({ headers }) => {
    if (isPrivate && forwarded.every((name) => headers[name] === undefined)) return;
    throw new ExtractError(
      'missing_api_key',
      '/metrics on a public server requires a token, and none is set. Set EXTRACT_METRICS_TOKEN, or EXTRACT_METRICS_OPEN=true.',
      { next: '' },
    );
  };
}
