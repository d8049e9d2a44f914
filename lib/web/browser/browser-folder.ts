import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasEnded, type Owner, ownerFrom, ownerText, thisProcess } from '../../runtime/process-owner.js';

const prefix = 'extract-browser-';
/** Names of what the driver and the browser make beside the folder: the profile, and the socket that guards it. */
const besides = /^(?:playwright_chromiumdev_profile-|org\.chromium\.Chromium\.|\.?com\.google\.Chrome\.)\w+$/;

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** True for a folder of this user's: whoever else writes to the system's folder could name anything in it. */
function isOwn(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid());
}

function removeAll(folder: string): void {
  const names = orEmpty(() => readFileSync(path.join(folder, 'besides'), 'utf8')).split('\n');
  for (const name of [...names.filter((one) => besides.test(one)), path.basename(folder)]) {
    if (isOwn(path.join(tmpdir(), name))) remove(path.join(tmpdir(), name));
  }
}

/** Removes the folders of browsers whose programs have ended. */
function sweep(self: Owner): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const folder = path.join(tmpdir(), name);
    const owner = ownerFrom(orEmpty(() => readFileSync(path.join(folder, 'owner'), 'utf8')));
    if (owner !== null && isOwn(folder) && hasEnded(owner, self)) removeAll(folder);
  }
}

/**
 * The files of one running browser and its driver, in a folder or named in it. A later start removes what is left.
 */
export class BrowserFolder {
  readonly path: string;
  readonly #onExit = () => this.remove();

  constructor() {
    const self = thisProcess();
    sweep(self);
    this.path = mkdtempSync(path.join(tmpdir(), prefix));
    writeFileSync(path.join(this.path, 'owner'), ownerText(self));
    process.once('exit', this.#onExit);
  }

  /** Notes what the running browser has made beside the folder, by its arguments. */
  note(args: readonly string[]): void {
    const flag = '--user-data-dir=';
    const profile = args.find((one) => one.startsWith(flag))?.slice(flag.length) ?? '';
    const socket = orEmpty(() => readlinkSync(path.join(profile, 'SingletonSocket')));
    const names = [profile, path.dirname(socket)].map((one) => path.basename(one));
    writeFileSync(path.join(this.path, 'besides'), names.join('\n'));
  }

  /** Removes all of it. */
  remove(): void {
    process.off('exit', this.#onExit);
    removeAll(this.path);
  }
}
