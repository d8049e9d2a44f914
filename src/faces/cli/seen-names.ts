import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import type { SeenNames } from '../../lines/memory/seen-names.js';
import type { SeenMemory } from '../../lines/step.js';

async function openNames(home: string) {
  const { openSeenNames } = await import('../../compose/open-state.js');
  return openSeenNames(home, systemClock);
}

/** Runs work on what earlier runs saw, stored in the data directory. */
export async function withSeenNames<T>(home: string, work: (names: SeenNames) => Promise<T>): Promise<T> {
  const { names, close } = await openNames(home);
  try {
    return await work(names);
  } finally {
    await close();
  }
}

/** Locks a name, because two concurrent runs under one name would return the same items. */
async function lockName(home: string, name: string): Promise<() => void> {
  const folder = path.join(home, 'new');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileLock = await lockFile(path.join(folder, `${name}.lock`));
  if (fileLock !== null) return () => fileLock.remove();
  throw new ExtractError(
    'invalid_parameter',
    `Another run with --new ${name} is in progress. Wait for it to finish, or use another name.`,
  );
}

/** Opens what earlier runs under a name saw, exclusively for one run. */
export async function openSeen(home: string, name: string): Promise<SeenMemory> {
  const unlock = await lockName(home, name);
  try {
    const { names, close } = await openNames(home);
    return {
      lookUp: (observation) => names.lookUp(name, observation),
      remember: (observations) => names.remember(name, observations),
      async close() {
        try {
          await names.trim(name);
        } finally {
          await close().finally(unlock);
        }
      },
    };
  } catch (cause) {
    unlock();
    throw cause;
  }
}
