import type { FastifyInstance } from 'fastify';
import { type JobDependencies, jobIdOf, withoutParameters } from './job-routes.js';

/** The webhook of a job, and the secret that signs those of the account. */
export function addWebhookRoutes(app: FastifyInstance, { jobs, services, access }: JobDependencies): void {
  const metaOf = async (id: string, account: string) => ({
    request_id: id,
    credits_remaining: (await services.ledger.balance(account)).credits,
  });

  app.get('/v1/jobs/:id/webhook', async (request, reply) => {
    const { account } = await access.admit(request, reply);
    withoutParameters(request, 'jobs/{id}/webhook');
    reply.header('Cache-Control', 'no-store');
    const data = await jobs.webhooks.delivery(account, jobIdOf(request));
    return { data, meta: await metaOf(request.id, account) };
  });

  app.post('/v1/jobs/:id/webhook/redeliver', async (request, reply) => {
    const { account } = await access.admit(request, reply);
    withoutParameters(request, 'jobs/{id}/webhook/redeliver');
    const data = await jobs.webhooks.redeliver(account, jobIdOf(request));
    jobs.wake();
    reply.code(202).header('Cache-Control', 'no-store');
    return { data, meta: await metaOf(request.id, account) };
  });

  app.get('/v1/webhooks/secret', async (request, reply) => {
    const { account } = await access.admit(request, reply);
    withoutParameters(request, 'webhooks/secret');
    reply.header('Cache-Control', 'no-store');
    return { data: await jobs.webhooks.secretState(account), meta: await metaOf(request.id, account) };
  });

  app.post('/v1/webhooks/secret', async (request, reply) => {
    const { account } = await access.admit(request, reply);
    withoutParameters(request, 'webhooks/secret');
    reply.header('Cache-Control', 'no-store');
    return { data: await jobs.webhooks.rotate(account), meta: await metaOf(request.id, account) };
  });
}
