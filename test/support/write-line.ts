import { writeSync } from 'node:fs';

/**
 * Writes a line to stdout synchronously, so that a killed process loses nothing it wrote. Retries while the pipe is
 * full, because its reader is only slow.
 */
export function writeLine(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
