import { open, readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { captionsType, spokenText } from './web-vtt.js';

/** The usual name and ending of a file's type. */
interface FileType {
  readonly mime: string;
  readonly ext: string;
}

/** The requested kind of file, and how its files are recognised. */
export interface MediaKind {
  /** As messages name it: “a picture or a video”. */
  readonly name: string;
  /** `accept` of the request; undefined for that of pictures and videos. */
  readonly accept: string | undefined;
  /** Types that the answer may say; some hosts say none, or that of any bytes. */
  readonly types: RegExp;
  /** Larger files cannot be of this kind. */
  readonly maxBytes: number;
  /** The type of a file that was received; null where it is of another kind. */
  typeOf(file: string): Promise<FileType | null>;
}

/** Bytes that tell the type of a file. */
const headBytes = 4100;

async function pictureType(file: string): Promise<FileType | null> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const found = await fileTypeFromBuffer(buffer.subarray(0, bytesRead));
    return found !== undefined && /^(image|video)\//.test(found.mime) ? found : null;
  } finally {
    await handle.close();
  }
}

export const pictures: MediaKind = {
  name: 'a picture or a video',
  accept: undefined,
  types: /^(image\/|video\/|application\/octet-stream|binary\/octet-stream|$)/,
  maxBytes: Number.POSITIVE_INFINITY,
  typeOf: pictureType,
};

/** Captions of hours are smaller. */
const maxCaptionBytes = 5_000_000;

export const captions: MediaKind = {
  name: 'WebVTT with words',
  accept: captionsType,
  // The host of the videos names the type of a video (2026).
  types: /^(text\/(?:vtt|plain)|video\/|application\/octet-stream|binary\/octet-stream|$)/,
  maxBytes: maxCaptionBytes,
  async typeOf(file) {
    const text = spokenText(await readFile(file));
    return text === null || text === '' ? null : { mime: captionsType, ext: 'vtt' };
  },
};
