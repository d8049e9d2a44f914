import type { FastifyReply } from 'fastify';
import { type Answer, envelopeParts } from '../../lib/envelope.js';
import type { LimitHeaders } from './access.js';

/** The headers that tell how often somebody may still ask, held until it is known what they go with. */
export class HeldLimits implements LimitHeaders {
  policy = '';
  standing = '';

  header(name: string, value: string): void {
    if (name === 'RateLimit') this.standing = value;
    else this.policy = value;
  }

  /** Puts them on an answer of the ordinary kind. */
  onto(reply: FastifyReply): void {
    if (this.policy === '') return;
    reply.header('RateLimit-Policy', this.policy).header('RateLimit', this.standing);
  }
}

/**
 * Sends an answer past fastify's reply: to join its two parts, and to gather its headers one by one, costs a third of
 * what an answer from the cache does without (measured 2026-11). `hooked` tells that hooks have set headers of theirs.
 */
export function sendAnswer(
  answer: Answer,
  limits: HeldLimits,
  reply: FastifyReply,
  hooked: boolean,
): FastifyReply {
  const [payload, rest] = envelopeParts(answer);
  const headers = {
    'X-Request-Id': answer.meta.request_id,
    'RateLimit-Policy': limits.policy,
    RateLimit: limits.standing,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': payload.length + rest.length,
  };
  const { raw } = reply.hijack();
  raw.writeHead(200, hooked ? Object.assign(reply.getHeaders(), headers) : headers);
  raw.write(payload);
  raw.end(rest, 'latin1');
  return reply;
}
