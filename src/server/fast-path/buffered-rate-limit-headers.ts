import type { FastifyReply } from 'fastify';
import type { LimitHeaders } from '../access.js';

/** The headers that tell how often somebody may still ask, held until it is known what they go with. */
export class BufferedRateLimitHeaders implements LimitHeaders {
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
