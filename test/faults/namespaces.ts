import { execFileSync, spawnSync } from 'node:child_process';

/** Addresses that are meant for tests of networks (RFC 2544). */
export const testNetwork = '198.18.0.0/15';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** Why network namespaces are unavailable; null if they are available. */
export function withoutNamespaces(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux makes hosts';
  if (spawnSync('ip', ['-V']).error !== undefined) return 'there is no ip (apt-get install iproute2)';
  if (spawnSync('iptables', ['-V']).error !== undefined) {
    return 'there is no iptables (apt-get install iptables)';
  }
  const name = `extract-try-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return 'network namespaces are not permitted';
  const dropped = spawnSync('ip', ['netns', 'exec', name, 'iptables', '-A', 'INPUT', '-j', 'DROP']);
  spawnSync('ip', ['netns', 'del', name]);
  return dropped.status === 0 ? null : 'rules of a firewall are not permitted in network namespaces';
}

/** The fate of the packets between a host and the database; no packet is answered with a refusal. */
export type CutKind = 'whole' | 'cut off' | 'answers lost' | 'lossy';

/** A host with its own network namespace. */
export interface Host {
  /** Prefix of a command that runs on it. */
  readonly through: readonly string[];
  /** Its address as seen from this process, and the reverse. */
  readonly address: string;
  readonly ours: string;
  /** Address of the database's host for it. */
  readonly database: string;
  /** Changes its route to the database; the route between it and this process stays the same. */
  set(cut: CutKind): void;
}

/** The host of a database, and other hosts with separate routes to it and to this process. */
export interface Hosts {
  /** Prefix of the command that starts the database on its host. */
  readonly through: readonly string[];
  add(): Host;
  /** Kills everything on the hosts and removes them. */
  close(): void;
}

/** Percentage of packets that a bad network loses. */
const lossPercent = 15;

/** Makes the host of a database. The caller closes it. */
export function makeHosts(): Hosts {
  const prefix = `extract-${process.pid}`;
  const names: string[] = [];
  const begin = (name: string) => {
    run('ip', 'netns', 'add', name);
    names.push(name);
    run('ip', '-n', name, 'link', 'set', 'lo', 'up');
    return ['nsenter', `--net=/run/netns/${name}`] as const;
  };
  const database = `${prefix}-db`;
  const through = begin(database);

  const add = (): Host => {
    const at = names.length;
    const name = `${prefix}-${at}`;
    const namespace = begin(name);
    const [front, data] = [`198.18.${at}`, `198.19.${at}`];
    const [frontLink, dataLink] = [`x${process.pid}f${at}`, `x${process.pid}d${at}`];
    run('ip', 'link', 'add', frontLink, 'type', 'veth', 'peer', 'name', 'front', 'netns', name);
    run('ip', 'addr', 'add', `${front}.1/30`, 'dev', frontLink);
    run('ip', 'link', 'set', frontLink, 'up');
    run('ip', '-n', name, 'addr', 'add', `${front}.2/30`, 'dev', 'front');
    run('ip', '-n', name, 'link', 'set', 'front', 'up');
    const peer = ['peer', 'name', 'data', 'netns', name];
    run('ip', '-n', database, 'link', 'add', dataLink, 'type', 'veth', ...peer);
    run('ip', '-n', database, 'addr', 'add', `${data}.1/30`, 'dev', dataLink);
    run('ip', '-n', database, 'link', 'set', dataLink, 'up');
    run('ip', '-n', name, 'addr', 'add', `${data}.2/30`, 'dev', 'data');
    run('ip', '-n', name, 'link', 'set', 'data', 'up');

    const firewall = (host: readonly string[], ...args: string[]) =>
      run(host[0] as string, ...host.slice(1), 'iptables', ...args);
    return {
      through: namespace,
      address: `${front}.2`,
      ours: `${front}.1`,
      database: `${data}.1`,
      set(cut) {
        // Packets are dropped without notice to either side.
        const drop = ['-j', 'DROP'];
        const some = ['-m', 'statistic', '--mode', 'random', '--probability', String(lossPercent / 100)];
        const ways: Readonly<
          Record<CutKind, { readonly answers?: string[]; readonly questions?: string[] }>
        > = {
          whole: {},
          'cut off': { answers: drop, questions: drop },
          'answers lost': { answers: drop },
          lossy: { answers: [...some, ...drop], questions: [...some, ...drop] },
        };
        const { answers, questions } = ways[cut];
        firewall(namespace, '-F', 'INPUT');
        if (answers !== undefined) firewall(namespace, '-A', 'INPUT', '-i', 'data', ...answers);
        // Matches only packets of this host, because others share the bridge.
        const theirs = `extract${at}`;
        const isNew = spawnSync(through[0], [...through.slice(1), 'iptables', '-N', theirs]).status === 0;
        if (isNew) firewall(through, '-A', 'INPUT', '-i', dataLink, '-j', theirs);
        firewall(through, '-F', theirs);
        if (questions !== undefined) firewall(through, '-A', theirs, ...questions);
      },
    };
  };
  return {
    through,
    add,
    close() {
      // This also removes their links.
      for (const name of names.splice(0)) spawnSync('ip', ['netns', 'del', name]);
    },
  };
}
