// The first script of the executable. Node.js runs one file from inside an executable, and loads native modules only
// from disk. So this script unpacks the package into a folder of the user's, once for each build, and starts it there.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { zstdDecompressSync } = require('node:zlib');

/** Files of the package: [path, bytes], in the archive's order. */
const { digest, files } = JSON.parse(getAsset('index.json', 'utf8'));

function cacheFolder() {
  if (process.platform === 'win32')
    return process.env.LOCALAPPDATA ?? path.join(os.homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches');
  return process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
}

function isComplete(folder) {
  return files.every(
    ([name, bytes]) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size === bytes,
  );
}

function isOurs(folder) {
  const { uid, mode } = fs.lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Unpacks to a temporary folder and renames it, so that no process sees half a package. */
function unpack(folder) {
  fs.mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  const drafts = fs.mkdtempSync(`${folder}.`);
  try {
    const archive = zstdDecompressSync(Buffer.from(getRawAsset('files.zst')));
    if (createHash('sha256').update(archive).digest('hex') !== digest)
      throw new Error('the executable is damaged: download it again');
    let at = 0;
    for (const [name, bytes] of files) {
      const file = path.join(drafts, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, archive.subarray(at, at + bytes));
      at += bytes;
    }
    // If another process was faster, the folder is complete; a broken one is replaced.
    if (fs.existsSync(folder) && !isComplete(folder)) fs.rmSync(folder, { recursive: true });
    fs.renameSync(drafts, folder);
  } catch (error) {
    fs.rmSync(drafts, { recursive: true, force: true });
    if (!fs.existsSync(folder) || !isComplete(folder)) throw error;
  }
}

/** Returns the package's folder: in the cache or, if that is not writable, in the temporary directory. */
function packageFolder() {
  const name = `extract-${digest.slice(0, 16)}`;
  const user = process.getuid?.() ?? os.userInfo().username;
  const folders = [
    path.join(cacheFolder(), 'public-extract', name),
    path.join(os.tmpdir(), `public-extract-${user}`, name),
  ];
  let reason;
  for (const folder of folders) {
    try {
      if (!fs.existsSync(folder) || !isComplete(folder)) unpack(folder);
      if (isOurs(path.dirname(folder)) && isOurs(folder)) return folder;
      reason = new Error(`${folder} belongs to another user`);
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}

try {
  const folder = packageFolder();
  enableCompileCache(path.join(folder, 'compile-cache'));
  const main = path.join(folder, 'node_modules', 'public-extract', 'dist', 'src', 'faces', 'cli', 'main.js');
  createRequire(main)(main).main();
} catch (error) {
  console.error(process.env.EXTRACT_DEBUG ? error : `extract could not start: ${error.message}`);
  process.exitCode = 1;
}
