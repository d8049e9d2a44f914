import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

/**
 * Each record of a WARC file is a separate gzip member. Ours have the extra field “sl” (skip lengths): the bytes of
 * the member and of its content. So a file can be read record by record without an index, up to the last complete
 * record of a killed process.
 */
export const memberHeadBytes = 24;
const headBytes = memberHeadBytes;
const tailBytes = 8;
/** gzip, deflate, with an extra field of twelve bytes: “sl” and its eight bytes. */
const beginning = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0, 0x73, 0x6c, 8, 0]);

export interface MemberSize {
  readonly length: number;
  readonly contentLength: number;
}

export async function gzipMember(content: Uint8Array): Promise<Buffer> {
  const deflated = await deflate(content);
  const member = Buffer.alloc(headBytes + deflated.length + tailBytes);
  beginning.copy(member);
  member.writeUInt32LE(member.length, 16);
  member.writeUInt32LE(content.length, 20);
  deflated.copy(member, headBytes);
  member.writeUInt32LE(crc32(content), headBytes + deflated.length);
  member.writeUInt32LE(content.length, headBytes + deflated.length + 4);
  return member;
}

/** Returns the size of a member from its first bytes; null if we did not write it. */
export function memberSize(head: Buffer): MemberSize | null {
  if (head.length < headBytes || !head.subarray(0, beginning.length).equals(beginning)) return null;
  const length = head.readUInt32LE(16);
  return length < headBytes + tailBytes ? null : { length, contentLength: head.readUInt32LE(20) };
}

/** Returns the content of a member; null if any byte has been altered. */
export function memberContent(member: Buffer): Buffer | null {
  const size = memberSize(member);
  if (size === null || size.length !== member.length) return null;
  try {
    const deflated = member.subarray(headBytes, -tailBytes);
    const content = inflateRawSync(deflated, { maxOutputLength: Math.max(1, size.contentLength) });
    const isComplete =
      content.length === size.contentLength &&
      member.readUInt32LE(member.length - tailBytes) === crc32(content) &&
      member.readUInt32LE(member.length - 4) === content.length;
    return isComplete ? content : null;
  } catch {
    return null;
  }
}
