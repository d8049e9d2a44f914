import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { readLogin } from '../../../lib/remote/login.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { pseudonymKeyName } from '../../../lib/runtime/secret.js';
import { version } from '../../../lib/runtime/version.js';
import { readDatabaseConfig } from '../../config/database-config.js';
import { personalSettings } from '../../config/settings.js';
import type { ShownSetting } from '../../config/shown-settings.js';
import { openFault } from '../../files/batch-files/output-fault.js';
import { unreadableFile } from '../../files/batch-files/read-inputs.js';
import type { HealthNow } from '../../service/health/health-store.js';
import type { Finding } from './finding.js';
import { redactAll, withoutCookies } from './redact.js';

/** What the caller supplies for a bundle. */
export interface BundleParts {
  readonly home: string;
  readonly findings: readonly Finding[];
  readonly settings: readonly ShownSetting[];
  /** Folder of saved pages to include, if any. */
  readonly pages: string | undefined;
  readonly secrets: readonly string[];
}

const maxPageBytes = 20 * 1024 * 1024;

async function endpointHealth(home: string): Promise<readonly Omit<HealthNow, 'hours' | 'minutes'>[]> {
  if (readDatabaseConfig().database === undefined && !existsSync(path.join(home, 'ledger.db'))) return [];
  const { openStore } = await import('../../compose/open-store.js');
  const store = await openStore(home, systemClock, 0);
  try {
    const { now } = await store.health.load(new Date(systemClock.now()).toISOString().slice(0, 10));
    return now.map(({ hours: _, minutes: __, ...state }) => state);
  } finally {
    await store.close();
  }
}

interface SavedPage {
  readonly file: string;
  readonly text: string;
}

/** Returns the files of a folder of saved pages; beyond 20 MiB in total, only names. */
async function savedPages(folder: string): Promise<readonly SavedPage[]> {
  const pages: SavedPage[] = [];
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw unreadableFile(folder, cause);
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const body = await readFile(file);
    bytes += body.byteLength;
    const text =
      bytes > maxPageBytes ? `(omitted: ${body.byteLength} bytes)` : withoutCookies(body.toString('utf8'));
    pages.push({ file: path.relative(folder, file), text });
  }
  return pages;
}

function storedSecrets(home: string): string[] {
  const secrets: string[] = [];
  try {
    secrets.push(readLogin(home)?.apiKey ?? '');
  } catch {
    // Another check reports a damaged login.
  }
  for (const key of ['cursor.key', pseudonymKeyName]) {
    try {
      secrets.push(readFileSync(path.join(home, key), 'utf8').trim());
    } catch {
      // It does not exist yet.
    }
  }
  return secrets.filter((secret) => secret.length >= 4);
}

/** Collects the content of a bug report, without secrets. */
export async function bundleObject(parts: BundleParts): Promise<object> {
  const { home, findings, settings, pages } = parts;
  const endpoints = await endpointHealth(home).catch((cause: unknown) => `cannot be read: ${String(cause)}`);
  const bundle = {
    made_at: new Date(systemClock.now()).toISOString(),
    version,
    node: process.version,
    system: `${os.type()} ${os.release()} ${process.arch}`,
    checks: findings,
    settings: settings
      .filter((one) => one.value !== one.default)
      .map(({ setting, value }) => ({ setting, value: personalSettings.has(setting) ? '***' : value })),
    endpoints,
    pages: pages === undefined ? [] : await savedPages(pages),
  };
  return redactAll(bundle, [...parts.secrets, ...storedSecrets(home)]) as object;
}

/** Writes a bundle to a new file that only its owner can read. Rejects with `invalid_parameter` if it cannot. */
export async function writeBundle(file: string, parts: BundleParts): Promise<void> {
  const text = `${JSON.stringify(await bundleObject(parts), null, 2)}\n`;
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw openFault(file, cause);
    const message = `The file ${JSON.stringify(file)} already exists: choose another name.`;
    throw new ExtractError('invalid_parameter', message, { cause });
  }
}
