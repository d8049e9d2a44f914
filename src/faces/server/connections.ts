import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { accountTurns } from '../../../lib/runtime/account-turns.js';

/** Maximum number of connections, if descriptors allow it. */
const maxConnections = 10_000;
/**
 * Descriptors reserved for other uses: files of the stores, results of jobs, connections to platforms and receivers.
 */
const [minReserve, maxReserve] = [64, 1024];

function descriptorLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isSafeInteger(soft) ? soft : undefined;
}

function connectionsFor(descriptors: number | undefined): number {
  if (descriptors === undefined) return maxConnections;
  const reserve = Math.min(maxReserve, Math.max(minReserve, descriptors / 4));
  return Math.min(maxConnections, Math.max(8, Math.floor(descriptors - reserve)));
}

/**
 * Limits the connections of a server to the available descriptors. When there is no room for another, it closes idle
 * connections and those that are not calls.
 */
export function boundConnections(server: Server): void {
  server.maxConnections = connectionsFor(descriptorLimit());
  server.on('connection', () => accountTurns.recordConnection());
  server.on('drop', () => server.closeIdleConnections());
}

/** Milliseconds for a partly received request head to arrive when the server stops. */
const headMs = 1_000;
/**
 * Event loop turns without a new connection after which the kernel's queue is empty and the last request has been read.
 */
const maxIdleTurns = 3;

/**
 * Tracks connections, so that a stop answers the requests that have arrived, and waits for nothing else. This includes
 * connections that the kernel has accepted but not yet passed on: Node takes one per turn of the loop, and the rest
 * would be reset. `closeIdleConnections` leaves connections whose client has sent nothing, or part of a request. Attach
 * before the server listens; call the returned function to close them.
 */
export function trackConnections(server: Server): () => Promise<void> {
  /** The last response of each connection; earlier ones have been sent. */
  const responses = new Map<Socket, ServerResponse | null>();
  let requestCount = 0;
  server.on('connection', (socket: Socket) => {
    requestCount += 1;
    responses.set(socket, null);
    socket.once('close', () => responses.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (responses.has(socket)) responses.set(socket, response);
  });
  const takeWaiting = async () => {
    const until = performance.now() + headMs;
    for (let quiet = 0; quiet < maxIdleTurns && performance.now() < until; ) {
      const before = requestCount;
      await setImmediate();
      quiet = requestCount === before ? quiet + 1 : 0;
    }
  };
  const closeIdle = (shouldClose: (socket: Socket) => boolean) => {
    for (const [socket, response] of responses) {
      const isAnswering = response !== null && !response.writableFinished && !response.destroyed;
      if (!isAnswering && shouldClose(socket)) socket.destroy();
    }
  };
  return async () => {
    await takeWaiting();
    closeIdle(({ bytesRead }) => bytesRead === 0);
    setTimeout(() => closeIdle(() => true), headMs).unref();
  };
}
