import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { lockFile } from '../../../../lib/runtime/file-lock.js';
import { OnlyNewRun, type OnlyNewRunOptions } from '../../../files/seen-items/only-new-run.js';
import type { SeenNames } from '../../../lines/memory/seen-names.js';
import type { OpenStep } from '../../../lines/step.js';
import { grouped } from '../../../output/number-text.js';

/** Runs work on what earlier runs saw, as the data directory remembers it. */
export async function withSeenNames<T>(home: string, work: (store: SeenNames) => Promise<T>): Promise<T> {
  const { openSeenNames } = await import('../../../compose/open-seen-names.js');
  const { names, close } = await openSeenNames(home, systemClock);
  try {
    return await work(names);
  } finally {
    await close();
  }
}

/** The lock of a name: two runs at once under one name would both give what is new. */
async function lockName(home: string, name: string): Promise<() => void> {
  const folder = path.join(home, 'new');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const held = await lockFile(path.join(folder, `${name}.lock`));
  if (held !== null) return () => held.remove();
  throw new ExtractError(
    'invalid_parameter',
    `Another run under --new ${name} is in progress. Wait until it has finished, or use another name.`,
  );
}

/** Runs work that gives only what is new under a name, alone under it. */
export async function withNewsRun<T>(
  home: string,
  options: Omit<OnlyNewRunOptions, 'store' | 'clock'>,
  work: (run: OnlyNewRun) => Promise<T>,
): Promise<T> {
  const unlock = await lockName(home, options.name);
  try {
    return await withSeenNames(home, async (store) => {
      const ended = await work(new OnlyNewRun({ ...options, store, clock: systemClock }));
      await store.trim(options.name);
      return ended;
    });
  } finally {
    unlock();
  }
}

/** The run as a step over the lines of a batch. */
export function newsStep(run: OnlyNewRun): OpenStep {
  return {
    readsOn: run.readsOn,
    async apply(line) {
      const { item, json, sources } = line;
      if (json === null || item.params === null) return line;
      const news = await run.unseenItems(item.index, item.params, item.texts === true, { ...line, json });
      if (news !== null) return { ...line, ...news, leftOut: 0 };
      if (!json.startsWith('[')) return { ...line, json: 'null', sources: undefined, leftOut: 1 };
      return { ...line, json: '[]', sources: sources === undefined ? undefined : '[]', leftOut: 1 };
    },
    saved: (before) => run.remember(before),
    summary: () => removedText(run),
  };
}

/** Says how many items a run saw, by what earlier runs knew of them. */
export function removedText(run: OnlyNewRun | undefined): string[] {
  const parts = Object.entries(run?.counts ?? {}).filter(([, count]) => count > 0);
  if (parts.length === 0) return [];
  return [`Since earlier runs: ${parts.map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ')}.`];
}
