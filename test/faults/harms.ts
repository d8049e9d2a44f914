import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';

/** Damages a file in place. */
type Harm = (file: string, random: () => number) => void;

const rewrite =
  (change: (bytes: Buffer, random: () => number) => Buffer): Harm =>
  (file, random) =>
    writeFileSync(file, change(readFileSync(file), random));

/** The kinds of damage to a file, by name. */
export const harms: Readonly<Record<string, Harm>> = {
  gone: (file) => rmSync(file),
  empty: (file) => truncateSync(file),
  'cut in half': rewrite((bytes) => bytes.subarray(0, bytes.length >> 1)),
  'cut by a byte': rewrite((bytes) => bytes.subarray(0, Math.max(0, bytes.length - 1))),
  text: rewrite(() => Buffer.from('a letter to nobody\n'.repeat(300))),
  'some bytes others': rewrite((bytes, random) => {
    for (let n = 0; n < 40 && bytes.length > 0; n += 1) bytes[Math.floor(random() * bytes.length)] = 0x5a;
    return bytes;
  }),
  'a bit another': rewrite((bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    if (bytes.length > 0) bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
    return bytes;
  }),
  'a page of zeros': rewrite((bytes) =>
    bytes.fill(0, Math.min(4096, bytes.length >> 2), Math.min(8192, bytes.length)),
  ),
  zeros: rewrite((bytes) => bytes.fill(0)),
  'a directory': (file) => {
    rmSync(file);
    mkdirSync(file);
    writeFileSync(`${file}/something`, 'of somebody');
  },
  unreadable: (file) => {
    // Root ignores permissions, but cannot follow a link to itself.
    if (process.getuid?.() !== 0) return chmodSync(file, 0);
    rmSync(file);
    symlinkSync(file, file);
  },
};
