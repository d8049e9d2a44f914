import type { Output } from './output.js';
import { TurnWriter } from './turn-writer.js';

/** An output that flows on, such as a pipe: nothing can be taken up again. */
export function streamOutput(write: (text: string) => Promise<void>): Output {
  const writer = new TurnWriter<null>((bytes) => write(bytes.toString()));
  return {
    add: (text) => writer.add(Buffer.from(text), null),
    keep: () => writer.written(),
    end: () => writer.written(),
  };
}
