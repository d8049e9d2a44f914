import { writeSync } from 'node:fs';

/**
 * Writes a line to stdout at once, so that nothing that was said is lost with a process that is killed. A pipe that is
 * full for the moment is waited for: whoever reads it is only slower than the one who writes.
 */
export function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
