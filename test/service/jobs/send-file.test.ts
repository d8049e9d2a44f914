import assert from 'node:assert/strict';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import fastify from 'fastify';
import { sendFile } from '../../../src/service/jobs/results/send-file.js';

test('a file is closed whose client left while it was made', async () => {
  const app = fastify();
  const handle = await open(import.meta.filename);
  app.get('/', async (request, reply) => {
    reply.raw.destroy();
    await once(reply.raw, 'close');
    await sendFile(request, reply, 'ann', handle, 'http://localhost');
    return reply;
  });
  await assert.rejects(app.inject('/'));
  await app.close();
  assert.equal(handle.fd, -1);
});
