import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { accountTurns } from '../../../lib/runtime/account-turns.js';

/** Connections at once, wherever descriptors allow for more. */
const maxConnections = 10_000;
/** Descriptors that stay free of clients: files of the stores, results of jobs, connections to platforms and receivers. */
const [minReserve, maxReserve] = [64, 1024];

/** The descriptors that this process may have; undefined where the system has no such limit. */
function descriptorLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isSafeInteger(soft) ? soft : undefined;
}

/** How many connections a server may take whose process may have so many descriptors. */
export function connectionsFor(descriptors: number | undefined): number {
  if (descriptors === undefined) return maxConnections;
  const reserve = Math.min(maxReserve, Math.max(minReserve, descriptors / 4));
  return Math.min(maxConnections, Math.max(8, Math.floor(descriptors - reserve)));
}

/**
 * Limits the connections of a server by the descriptors there are. When there is no room for another, idle connections
 * are closed. All that is no call makes room for new ones.
 */
export function boundConnections(server: Server): void {
  server.maxConnections = connectionsFor(descriptorLimit());
  server.on('connection', () => accountTurns.noticeConnection());
  server.on('drop', () => server.closeIdleConnections());
}

/** Milliseconds that a request whose head is on its way has to arrive, when the server stops. */
const headMs = 1_000;
/** Turns of the loop without a new connection, after which the kernel has none left and the last one's request is read. */
const quietTurns = 3;

/**
 * Sees to it that a stop answers the requests that are there, and waits for them alone. Those whose connections the
 * kernel has taken and the server not yet are among them: Node takes one in each turn of the loop, and those left are
 * reset. `closeIdleConnections` leaves connections whose client has never sent anything, or a part of a request. To be
 * attached before the server listens; the function that it returns closes them.
 */
export function trackConnections(server: Server): () => Promise<void> {
  /** The last response of each connection: those before it have left. */
  const responses = new Map<Socket, ServerResponse | null>();
  let taken = 0;
  server.on('connection', (socket: Socket) => {
    taken += 1;
    responses.set(socket, null);
    socket.once('close', () => responses.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (responses.has(socket)) responses.set(socket, response);
  });
  const takeWaiting = async () => {
    const until = performance.now() + headMs;
    for (let quiet = 0; quiet < quietTurns && performance.now() < until; ) {
      const before = taken;
      await setImmediate();
      quiet = taken === before ? quiet + 1 : 0;
    }
  };
  const closeIdle = (condition: (socket: Socket) => boolean) => {
    for (const [socket, response] of responses) {
      const isAnswering = response !== null && !response.writableFinished && !response.destroyed;
      if (!isAnswering && condition(socket)) socket.destroy();
    }
  };
  return async () => {
    await takeWaiting();
    closeIdle(({ bytesRead }) => bytesRead === 0);
    setTimeout(() => closeIdle(() => true), headMs).unref();
  };
}
