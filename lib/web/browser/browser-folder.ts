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
const profilePrefix = 'playwright_chromiumdev_profile-';
/** What the driver and the browser create next to the folder: the profile and the socket that guards it. */
const besides = /^(?:playwright_chromiumdev_profile-|org\.chromium\.Chromium\.|\.?com\.google\.Chrome\.)\w+$/;

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

function orEmpty(readText: () => string): string {
  try {
    return readText();
  } catch {
    return '';
  }
}

/** True if the folder belongs to this user; others may use any name in the shared temporary directory. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid());
}

/** Milliseconds that a browser has to create its profile after its folder. */
const launchMs = 30_000;

/**
 * Removes the profile of a process that was killed before it could record it: created just after its folder, and
 * guarded by no browser.
 */
function removeUnnoted(folder: string, isNoted: (name: string) => boolean): void {
  const folderBorn = lstatSync(folder).birthtimeMs;
  for (const name of readdirSync(tmpdir())) {
    const profile = path.join(tmpdir(), name);
    if (!name.startsWith(profilePrefix) || isNoted(name) || !isOurs(profile)) continue;
    const profileBorn = lstatSync(profile).birthtimeMs;
    const guard = Number(
      /-(\d+)$/.exec(orEmpty(() => readlinkSync(path.join(profile, 'SingletonLock'))))?.[1],
    );
    const isGuarded = guard > 0 && isProcess(guard);
    if (
      profileBorn >= folderBorn &&
      profileBorn <= folderBorn + launchMs &&
      Date.now() > profileBorn + launchMs &&
      !isGuarded
    )
      remove(profile);
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const notedIn = (folder: string) =>
  orEmpty(() => readFileSync(path.join(folder, 'besides'), 'utf8')).split('\n');

function removeAll(folder: string): void {
  for (const name of [...notedIn(folder).filter((one) => besides.test(one)), path.basename(folder)]) {
    if (isOurs(path.join(tmpdir(), name))) remove(path.join(tmpdir(), name));
  }
}

/** Removes the folders of browsers whose processes have ended. */
function sweep(self: Owner): void {
  const folders = readdirSync(tmpdir())
    .filter((one) => one.startsWith(prefix))
    .map((name) => path.join(tmpdir(), name));
  const recordedNames = new Set(folders.flatMap(notedIn));
  for (const folder of folders) {
    const owner = ownerFrom(orEmpty(() => readFileSync(path.join(folder, 'owner'), 'utf8')));
    if (owner === null || !isOurs(folder) || !hasEnded(owner, self)) continue;
    if (!notedIn(folder).some((name) => name.startsWith(profilePrefix))) {
      removeUnnoted(folder, (name) => recordedNames.has(name));
    }
    removeAll(folder);
  }
}

/** The files of a running browser and its driver, inside a folder or listed in it. A later start removes leftovers. */
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

  /** Records what the browser has created outside the folder, according to its arguments. */
  note(args: readonly string[]): void {
    const flag = '--user-data-dir=';
    const profile = args.find((one) => one.startsWith(flag))?.slice(flag.length) ?? '';
    const socket = orEmpty(() => readlinkSync(path.join(profile, 'SingletonSocket')));
    const names = [profile, path.dirname(socket)].map((one) => path.basename(one));
    writeFileSync(path.join(this.path, 'besides'), names.join('\n'));
  }

  /** Removes the folder and everything recorded in it. */
  remove(): void {
    process.off('exit', this.#onExit);
    removeAll(this.path);
  }
}
