import { once } from 'node:events';
import net from 'node:net';

/** The treatment of connections to a database. */
export type RelayMode = 'pass' | 'cut' | 'mute';

/** A relay to a database that a test can disturb. */
export interface DatabaseRelay {
  /** Address of the database through the relay. */
  readonly url: string;
  /** `cut` closes all connections and accepts none; `mute` keeps them open but forwards nothing. */
  set(mode: RelayMode): void;
  close(): void;
}

/** Says what becomes of bytes of a client or the server: `cut` ends their connection in place of passing them. */
export type OnBytes = (bytes: Buffer, from: 'client' | 'server') => 'pass' | 'drop' | 'cut';

/** Opens a relay to the database of an address, whose host is the folder of its socket. */
export async function databaseRelay(url: string, onBytes: OnBytes = () => 'pass'): Promise<DatabaseRelay> {
  const { hostname, port, pathname, username } = new URL(url);
  const socket = `${decodeURIComponent(hostname)}/.s.PGSQL.${port}`;
  let mode: RelayMode = 'pass';
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  const setPair = ([client, upstream]: readonly [net.Socket, net.Socket]) => {
    for (const one of [client, upstream]) {
      if (mode === 'cut') one.destroy();
      else if (mode === 'mute') one.pause();
      else one.resume();
    }
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(socket);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('data', (bytes: Buffer) => {
        const fate = onBytes(bytes, one === client ? 'client' : 'server');
        if (fate === 'pass') other.write(bytes);
        if (fate === 'cut') client.destroy();
      });
      one.on('error', () => undefined);
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
    setPair(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port: relayPort } = server.address() as net.AddressInfo;
  return {
    url: `postgres://${username}@127.0.0.1:${relayPort}${pathname}`,
    set(next) {
      mode = next;
      for (const pair of pairs) setPair(pair);
    },
    close() {
      mode = 'cut';
      for (const pair of pairs) setPair(pair);
      server.close();
    },
  };
}
