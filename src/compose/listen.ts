import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { isShortageCause, ShortageError } from '../../lib/errors/shortage.js';

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EACCES: 'this user lacks the permission',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host does not exist',
};

/** Converts the error that kept a server from listening to one of the catalogue; returns any other error unchanged. */
export function listenFault(cause: unknown, host: string, port: number): unknown {
  if (isShortageCause(cause)) return new ShortageError({ cause });
  const reason = listenFaults[(cause as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return cause;
  return new ExtractError('invalid_parameter', `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    cause,
  });
}

/**
 * Returns a free port for a server that accepts any. The address of its documentation must be known before it listens.
 */
export async function freePort(host: string): Promise<number> {
  const probe = net.createServer().listen(0, host);
  await once(probe, 'listening').catch((cause: unknown) => {
    throw listenFault(cause, host, 0);
  });
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
