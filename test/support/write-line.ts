import { writeSync } from 'node:fs';

/**
 * Writes a line to stdout synchronously, so that a kill of the process loses nothing written. A pipe that is full for
 * the moment is waited for. Whoever reads it is only slower than the one who writes.
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
