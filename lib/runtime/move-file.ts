import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Windows cannot move a file that another program has open, as virus scanners do with new files. */
const heldCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Milliseconds between attempts: a second and a half in total. */
const pausesMs = [10, 20, 50, 100, 200, 400, 700];

export interface MovePorts {
  readonly system: NodeJS.Platform;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly pause: (ms: number) => Promise<unknown>;
}

const ports: MovePorts = { system: process.platform, move: rename, pause: (ms) => setTimeout(ms) };

/** Renames a file, replacing any existing one. Rejects as the system does. */
export async function moveFile(
  from: string,
  to: string,
  { system, move, pause }: MovePorts = ports,
): Promise<void> {
  for (const ms of system === 'win32' ? pausesMs : []) {
    try {
      return await move(from, to);
    } catch (cause) {
      if (!heldCodes.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
      await pause(ms);
    }
  }
  await move(from, to);
}
