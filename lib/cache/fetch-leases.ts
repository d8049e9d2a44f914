/**
 * The port through which the servers of one database share a fetch, or a round of canaries. The holder of a key's lease
 * fetches, while the others poll the cache. A lease ends with its process. Methods reject with a `StorageError` if the
 * store cannot be used.
 */
export interface FetchLeases {
  /** Takes the lease of a key. Resolves with false while another process holds it. */
  take(key: string): Promise<boolean>;
  /** Releases the lease. A lease that has ended, or that another process holds by now, is not changed. */
  release(key: string): Promise<void>;
  /** Releases every lease of this process. */
  close(): Promise<void>;
}
