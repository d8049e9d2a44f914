import { crc32 } from 'node:zlib';

/** Bytes of the lines file that share a sum. */
export const blockBytes = 64 * 1024;

/** How many blocks so many bytes make. */
export const blocksOf = (bytes: number) => Math.ceil(bytes / blockBytes);

/** The CRC-32 of each block of what was appended. The last block counts as far as it goes. */
export class BlockSums {
  readonly #values: number[];
  #bytes: number;

  constructor(values: readonly number[] = [], bytes = 0) {
    this.#values = [...values];
    this.#bytes = bytes;
  }

  get values(): readonly number[] {
    return this.#values;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sums that go on from here, and leave these as they are. */
  fork(): BlockSums {
    return new BlockSums(this.#values, this.#bytes);
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const block = Math.floor(this.#bytes / blockBytes);
      const part = bytes.subarray(at, at + blockBytes - (this.#bytes % blockBytes));
      this.#values[block] = crc32(part, this.#values[block] ?? 0);
      this.#bytes += part.length;
      at += part.length;
    }
  }
}
