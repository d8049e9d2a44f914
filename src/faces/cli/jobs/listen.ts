import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../../../lib/webhook.js';
import { unreadableFile } from '../../../files/batch-files/read-inputs.js';
import { jsonOf } from '../../../output/json-text.js';

/** Maximum bytes of a delivery; a finished job has a few hundred. */
const maxBytes = 1024 * 1024;

interface Delivery {
  readonly verified: boolean;
  readonly delivery: string | null;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly job: unknown;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** Files of a certificate and its key; undefined for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly onDelivery: (delivery: Delivery) => Promise<void>;
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unreadableFile(file, cause);
  }
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Receives deliveries on this machine. Responds with 204 to a verified one, and with 400 to any other. */
export async function listen({ host, port, secret, tls, onDelivery }: ListenOptions) {
  const take = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const body = request.method === 'POST' ? await bodyOf(request) : null;
    if (body === null) {
      response.writeHead(request.method === 'POST' ? 413 : 405, { connection: 'close' }).end();
      return;
    }
    const signature = request.headers['extract-signature'];
    const verified = verifyWebhook({ body, signature: signature?.toString(), secret });
    const delivery = request.headers['extract-delivery']?.toString() ?? null;
    const text = body.toString();
    const job = jsonOf(text);
    await onDelivery({ verified, delivery, job: job === undefined ? text : job });
    response.writeHead(verified ? 204 : 400).end();
  };
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    take(request, response).catch(() => response.destroy());
  };
  const server =
    tls === undefined
      ? http.createServer(listener)
      : https.createServer({ cert: contentOf(tls.cert), key: contentOf(tls.key) }, listener);
  server.listen(port, host);
  await once(server, 'listening').catch(async (cause: unknown) => {
    const { listenFault } = await import('../../../compose/listen.js');
    throw listenFault(cause, host, port);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
