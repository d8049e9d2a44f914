import type { FastifyInstance } from 'fastify';
import type { PackPayments } from '../../service/accounts/packs/pack-payments.js';

/** Largest event, in bytes; those about checkout sessions have a few thousand. */
const maxBodyBytes = 256 * 1024;

/** Receives Stripe's events. Not part of the API: events are signed, and all other requests are refused. */
export async function stripeRoute(
  app: FastifyInstance,
  { payments }: { readonly payments: PackPayments },
): Promise<void> {
  // The signature covers the bytes as received.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post<{ Body: unknown }>('/stripe/events', { bodyLimit: maxBodyBytes }, async (request, reply) => {
    const { body, headers } = request;
    const signature = headers['stripe-signature'];
    await payments.applyStripeEvent(
      Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      typeof signature === 'string' ? signature : '',
    );
    reply.header('Cache-Control', 'no-store');
    return { received: true };
  });
}
