import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { admitToJob, type JobDependencies, withoutParameters } from './job-routes.js';

/** The webhook of a job, and the secret that signs those of the account. */
export function addWebhookRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services, access } = dependencies;
  const metaOf = async (id: string, account: string) => ({
    request_id: id,
    credits_remaining: (await services.ledger.balance(account)).credits,
  });

  /** The secret signs the webhooks of every platform, so a key that is limited to some may not have it. */
  const admitToSecret = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { account, platforms } = await access.admit(request, reply);
    if (platforms !== null) {
      throw new ExtractError(
        'platform_not_allowed',
        `The API key may call ${platforms.join(', ')} alone, and the signing secret is that of all platforms.`,
      );
    }
    return account;
  };

  app.get('/v1/jobs/:id/webhook', async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    withoutParameters(request, 'jobs/{id}/webhook');
    reply.header('Cache-Control', 'no-store');
    const data = await jobs.webhooks.findDelivery(account, job.id);
    return { data, meta: await metaOf(request.id, account) };
  });

  app.post('/v1/jobs/:id/webhook/redeliver', async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    withoutParameters(request, 'jobs/{id}/webhook/redeliver');
    const data = await jobs.webhooks.redeliver(account, job.id);
    jobs.wake();
    reply.code(202).header('Cache-Control', 'no-store');
    return { data, meta: await metaOf(request.id, account) };
  });

  app.get('/v1/webhooks/secret', async (request, reply) => {
    const account = await admitToSecret(request, reply);
    withoutParameters(request, 'webhooks/secret');
    reply.header('Cache-Control', 'no-store');
    return { data: await jobs.webhooks.readSecretState(account), meta: await metaOf(request.id, account) };
  });

  app.post('/v1/webhooks/secret', async (request, reply) => {
    const account = await admitToSecret(request, reply);
    withoutParameters(request, 'webhooks/secret');
    reply.header('Cache-Control', 'no-store');
    return { data: await jobs.webhooks.rotateSecret(account), meta: await metaOf(request.id, account) };
  });
}
