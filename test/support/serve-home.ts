import { type Config, readConfig } from '../../lib/config.js';
import { type RunningServer, serve } from '../../src/compose/serve.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import { readServerConfig, type ServerConfig } from '../../src/config/server-config.js';

interface ServedHome {
  readonly config?: Partial<Config>;
  readonly server?: Partial<ServerConfig>;
  /** Hosting settings, as in the environment. */
  readonly hosting?: Readonly<Record<string, string>>;
  /** Receives the lines of the log. */
  readonly lines?: string[];
  readonly drainMs?: number;
  readonly local?: boolean;
}

/** Serves a data directory from this process, at a free port. */
export const serveHome = (
  home: string,
  { config, server, hosting = {}, lines, ...more }: ServedHome = {},
): Promise<RunningServer> =>
  serve({
    config: readConfig({ home, ...config }),
    server: readServerConfig({ port: 0, ...server }),
    hosting: readHostingConfig(hosting),
    log: { write: (line) => void lines?.push(line) },
    ...more,
  });
