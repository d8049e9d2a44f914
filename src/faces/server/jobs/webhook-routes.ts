import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import {
  deliveryObject,
  jobObject,
  newWebhookSecretObject,
  webhookSecretObject,
} from '../../../service/jobs/job-objects.js';
import { apiRoute, serveRoute } from '../api-route.js';
import { findJob, type JobDependencies } from './job-routes.js';

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

/** The secret signs the webhooks of every platform, so a key limited to some may not read it. */
function checkSecretAccess({ platforms }: KeyOwner): void {
  if (platforms === null) return;
  throw new ExtractError(
    'platform_not_allowed',
    `The API key may only call ${platforms.join(', ')}, and the signing secret is for all platforms.`,
  );
}

/** Adds the routes for the webhook of a job, and the account's signing secret. */
export function addWebhookRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs } = dependencies;

  serveRoute(app, dependencies, webhookRoutes.find, async ({ owner, id }) => {
    const job = await findJob(dependencies, owner, id);
    return { data: await jobs.webhooks.findDelivery(owner.account, job.id) };
  });

  serveRoute(app, dependencies, webhookRoutes.redeliver, async ({ owner, id }) => {
    const job = await findJob(dependencies, owner, id);
    const data = await jobs.webhooks.redeliver(owner.account, job.id);
    jobs.wake();
    return { data };
  });

  serveRoute(app, dependencies, secretRoutes.state, async ({ owner }) => {
    checkSecretAccess(owner);
    return { data: await jobs.webhooks.secrets.state(owner.account) };
  });

  serveRoute(app, dependencies, secretRoutes.rotate, async ({ owner }) => {
    checkSecretAccess(owner);
    return { data: await jobs.webhooks.secrets.rotate(owner.account) };
  });
}
