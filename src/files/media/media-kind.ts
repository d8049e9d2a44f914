import { open, readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { captionsType, spokenText } from './web-vtt.js';

interface FileType {
  readonly mime: string;
  readonly ext: string;
}

/** The requested kind of file, and how to recognise it. */
export interface MediaKind {
  /** For messages: “a picture or a video”. */
  readonly name: string;
  /** `accept` header of the request. */
  readonly accept: string | undefined;
  /** Allowed content types; some hosts send none, or a generic one. */
  readonly types: RegExp;
  readonly maxBytes: number;
  /** Detects the type of a file; null if it is of another kind. */
  typeOf(file: string): Promise<FileType | null>;
}

const headBytes = 4100;

async function pictureType(file: string): Promise<FileType | null> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const type = await fileTypeFromBuffer(buffer.subarray(0, bytesRead));
    return type !== undefined && /^(image|video)\//.test(type.mime) ? type : null;
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

/** Captions of several hours are smaller. */
const maxCaptionBytes = 5_000_000;

export const captions: MediaKind = {
  name: 'WebVTT with words',
  accept: captionsType,
  // The host sends a video's type for captions, too (2026).
  types: /^(text\/(?:vtt|plain)|video\/|application\/octet-stream|binary\/octet-stream|$)/,
  maxBytes: maxCaptionBytes,
  async typeOf(file) {
    const text = spokenText(await readFile(file));
    return text === null || text === '' ? null : { mime: captionsType, ext: 'vtt' };
  },
};
