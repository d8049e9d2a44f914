import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

/** The result of the last look-up. `latest` is null if npm could not tell. */
const lastUpdate = z.object({ checked_at: z.int(), latest: z.string().nullable() });
type LastUpdate = z.infer<typeof lastUpdate>;

const fileOf = (home: string) => path.join(home, 'update.json');

/** Returns the last look-up in a data directory; null for none or an invalid file. */
export async function readLastUpdate(home: string): Promise<LastUpdate | null> {
  try {
    return lastUpdate.parse(JSON.parse(await readFile(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

/** Stores a look-up for the notices of the day. A truncated file counts as none. */
export async function writeLastUpdate(home: string, update: LastUpdate): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(fileOf(home), JSON.stringify(update), { mode: 0o600 });
}
