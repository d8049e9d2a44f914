/**
 * Lets the servers of a database share a fetch, or a round of canaries: the holder of a key's lease fetches, the others
 * poll the cache. A lease ends with its process. Methods reject with a `StorageError` if the store cannot be used.
 */
export interface FetchLeases {
  /** Takes the lease of a key. Resolves with false while another process holds it. */
  take(key: string): Promise<boolean>;
  /** Releases a lease, unless it has ended or moved to another process. */
  release(key: string): Promise<void>;
  close(): Promise<void>;
}
