/** The options of a bench server, as its one argument. */
export interface WantedServer {
  readonly kind: 'extract' | 'fastify' | 'http';
  /** The endpoint that is read. */
  readonly endpointPath: string;
  /** Our database; a data directory by default. */
  readonly url?: string;
  /** A known key for our server; a new one by default. */
  readonly secret?: string;
  /** The size of the answer of ours. */
  readonly bytes?: number;
  /** The source of pages for our jobs. */
  readonly origin?: string;
}

export function wantedServer(): WantedServer {
  return JSON.parse(process.argv[2] ?? '') as WantedServer;
}
