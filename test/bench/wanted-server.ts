/** What a server of the benches is told, as its one argument. */
export interface WantedServer {
  readonly kind: 'extract' | 'fastify' | 'http';
  /** The endpoint that is read. */
  readonly endpointPath: string;
  /** The database of ours; a data directory where left out. */
  readonly url?: string;
  /** A key of ours that is known; one is made where left out. */
  readonly secret?: string;
  /** The size of the answer of ours. */
  readonly bytes?: number;
  /** Where the jobs of ours find their pages. */
  readonly origin?: string;
}

export function wantedServer(): WantedServer {
  return JSON.parse(process.argv[2] ?? '') as WantedServer;
}
