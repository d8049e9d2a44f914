import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../lib/errors.js';
import type { Payments } from '../accounts/packs/payments.js';

/** Where Stripe is told to send its events. */
const path = '/stripe/events';
/** Bytes of an event at most: a large one has some ten thousand. */
const mostBody = 512 * 1024;

/** Takes the events of Stripe: the signature over the raw body is what says that they are its own. */
export function addStripeRoute(app: FastifyInstance, payments: Payments): void {
  // In a scope of its own, where a body stays the bytes that were signed.
  app.register(async (events) => {
    events.removeAllContentTypeParsers();
    events.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBody }, (_, body, done) =>
      done(null, body),
    );
    events.post(path, { bodyLimit: mostBody }, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) {
        throw new ExtractError('invalid_parameter', 'This is no event that Stripe signed for this server.');
      }
      await payments.stripeEvent(request.body, signature);
      return reply.header('Cache-Control', 'no-store').send({ received: true });
    });
  });
}
