import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import {
  deliveryObject,
  jobObject,
  newWebhookSecretObject,
  webhookSecretObject,
} from '../../../service/jobs/job-objects.js';
import { apiRoute, queryOf, serveRoute } from '../api-route.js';
import { admitToJob, type JobDependencies } from './job-routes.js';

export const webhookRoutes = {
  find: apiRoute({
    method: 'get',
    path: '/jobs/{id}/webhook',
    operationId: 'get_job_webhook',
    summary: 'The delivery attempts of a job’s webhook',
    answer: { description: 'The delivery.', data: deliveryObject },
  }),
  redeliver: apiRoute({
    method: 'post',
    path: '/jobs/{id}/webhook/redeliver',
    operationId: 'redeliver_job_webhook',
    summary: 'Send the webhook of a finished job again',
    answer: { description: 'The job.', data: jobObject, status: 202 },
    refusals: [409],
  }),
};

export const secretRoutes = {
  state: apiRoute({
    method: 'get',
    path: '/webhooks/secret',
    operationId: 'get_webhook_secret',
    summary: 'When the signing secret was created; never the secret itself',
    answer: { description: 'When the secret was created.', data: webhookSecretObject },
  }),
  rotate: apiRoute({
    method: 'post',
    path: '/webhooks/secret',
    operationId: 'rotate_webhook_secret',
    summary:
      'Create a signing secret, shown once; the previous one stays valid for a day, or until the next one',
    answer: { description: 'The secret.', data: newWebhookSecretObject },
  }),
};

/** The webhook of a job, and the secret that signs those of the account. */
export function addWebhookRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services, access } = dependencies;

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

  serveRoute(app, services, webhookRoutes.find, async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    queryOf(webhookRoutes.find, request);
    return { account, data: await jobs.webhooks.findDelivery(account, job.id) };
  });

  serveRoute(app, services, webhookRoutes.redeliver, async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    queryOf(webhookRoutes.redeliver, request);
    const data = await jobs.webhooks.redeliver(account, job.id);
    jobs.wake();
    return { account, data };
  });

  serveRoute(app, services, secretRoutes.state, async (request, reply) => {
    const account = await admitToSecret(request, reply);
    queryOf(secretRoutes.state, request);
    return { account, data: await jobs.webhooks.readSecretState(account) };
  });

  serveRoute(app, services, secretRoutes.rotate, async (request, reply) => {
    const account = await admitToSecret(request, reply);
    queryOf(secretRoutes.rotate, request);
    return { account, data: await jobs.webhooks.rotateSecret(account) };
  });
}
