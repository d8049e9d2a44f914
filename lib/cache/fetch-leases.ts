/**
 * The port by which the servers of one database share a fetch, or a round of canaries. The holder of a key's lease
 * fetches. The others look into the cache until it is over. A lease ends with its process. Methods reject with a
 * `StorageError` where the store cannot be used.
 */
export interface FetchLeases {
  /** Takes the lease of a key. Resolves with false while another process has it. */
  take(key: string): Promise<boolean>;
  /** Gives the lease back; one that has ended meanwhile, or that another process has by now, stays as it is. */
  release(key: string): Promise<void>;
  /** Gives back every lease of this process. */
  close(): Promise<void>;
}
