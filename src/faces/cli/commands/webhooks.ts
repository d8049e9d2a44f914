import type { Command } from 'commander';
import { readWebhookSecret } from '../../../config/program-config.js';
import {
  deliveryObject,
  jobObject,
  newWebhookSecretObject,
  webhookSecretObject,
} from '../../../service/jobs/job-objects.js';
import { type Context, untilAborted } from '../context.js';
import { writeNote } from '../deliver.js';
import { jobPath, withServer } from '../jobs/job-api.js';
import { addObjectCommand } from '../jobs/server-command.js';
import { port } from '../number-arguments.js';
import { addOutputOptions, outputOf } from '../output.js';
import { printableJson } from '../printable.js';
import { answerWriter } from '../reply.js';
import { UsageError } from '../usage-error.js';

const id = ['<id>', 'job_…, as `extract jobs list` shows it'] as const;

function addListen(group: Command, context: Context): void {
  group
    .command('listen')
    .description('Receive deliveries on this machine, verify them and print each as a line of JSON')
    .option('--port <number>', 'port to listen on; 0 for any free one', port, 8788)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--cert <file>', 'certificate, to serve https; without one, put an https proxy in front')
    .option('--key <file>', 'key of the certificate')
    .action(async ({ port: number, host, cert, key }) => {
      const secret = readWebhookSecret();
      if (secret === undefined) {
        throw new UsageError(
          'missing_parameter',
          'The signing secret is not set.',
          'Set EXTRACT_WEBHOOK_SECRET to what `extract jobs webhooks secret --rotate` shows.',
        );
      }
      if ((cert === undefined) !== (key === undefined)) {
        throw new UsageError('missing_parameter', '--cert and --key must be used together.');
      }
      const { stdout, stderr, signal } = context;
      const { listen } = await import('../jobs/listen.js');
      const tls = cert === undefined ? undefined : { cert: String(cert), key: String(key) };
      const receiver = await listen({
        ...{ host: String(host), port: Number(number), secret, tls },
        async onDelivery(delivery) {
          const line = `${JSON.stringify(delivery)}\n`;
          await stdout.write(stdout.isTTY ? printableJson(line) : line);
        },
      });
      await stderr.write(`Listening on ${receiver.url}\n`);
      await untilAborted(signal);
      receiver.close();
    });
}

/** `extract jobs webhooks …`: manages the webhooks of a server's jobs. */
export function defineCommand(group: Command, context: Context): void {
  const ofJob = { args: [id], pathOf: jobPath };
  addObjectCommand(group, context, ['show', 'Show the delivery attempts of a job’s webhook'], {
    ...{ ...ofJob, schema: deliveryObject, rest: '/webhook' },
  });
  addObjectCommand(group, context, ['redeliver', 'Send the webhook of a finished job again'], {
    ...{ ...ofJob, schema: jobObject, method: 'post', rest: '/webhook/redeliver' },
  });

  const secret = group
    .command('secret')
    .description('Show when the signing secret was created, or create a new one')
    .option('--rotate', 'Create a new one, shown once; the old one stays valid for a day');
  addOutputOptions(secret).action(async () => {
    const rotate = secret.opts().rotate === true;
    const schema = rotate ? newWebhookSecretObject : webhookSecretObject;
    const reply = answerWriter(secret, context, schema, false);
    const path = 'webhooks/secret';
    const response = await withServer(context, (client) =>
      rotate ? client.post(path, {}, context.signal) : client.get(path, {}, context.signal),
    );
    await reply(response);
    if (rotate) {
      await writeNote(
        context,
        outputOf(secret.opts(), context),
        'The secret is not shown again: save it now.',
      );
    }
  });

  addListen(group, context);
}
