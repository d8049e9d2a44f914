import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { BucketClient } from '../../../src/files/bucket/bucket-client.js';
import { FileUpload, partBytes } from '../../../src/files/bucket/file-upload.js';
import { discardLeftUploads } from '../../../src/files/bucket/left-uploads.js';
import { bucketName, openBucketServer } from '../../support/bucket-server.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const server = await openBucketServer();
const clock = Object.assign(new FakeClock(), { sleep: async () => undefined });
const settings = { endpoint: server.url, region: 'eu-central-1', keyId: 'S3RVER', secret: 'S3RVER' };
const client = new BucketClient({ settings, proxy: {}, clock });
after(async () => {
  await client.close();
  await server.close();
});

/** Bytes that do not repeat within the file. */
const bytes = (size: number, seed = 7) => {
  const all = Buffer.alloc(size);
  for (let at = 0; at < size; at += 4096) all.writeUInt32LE((at + seed) % 2 ** 32, Math.min(at, size - 4));
  return all;
};

const folders = temporaryFolder();
let count = 0;
let [file, key] = ['', ''];
const upload = () => new FileUpload({ client, address: { bucket: bucketName, key }, type: 'text/csv', file });

/** The requests of the upload: each method with its query. */
const sent = () => server.requests.map((line) => line.replace(/^(\w+) [^?]*/, '$1'));

/** Uploads all parts of a file, whose storage refuses to finish. */
async function unfinished(content: Buffer): Promise<FileUpload> {
  writeFileSync(file, content);
  server.fail(/POST .*uploadId/, 403);
  const running = upload();
  await assert.rejects(running.finish());
  server.requests.length = 0;
  return running;
}

describe('the upload of a file', () => {
  beforeEach(() => {
    count += 1;
    key = `week ${count}/café+(1)'*!~.csv`;
    file = path.join(folders, String(count), 'lines.csv');
    mkdirSync(path.dirname(file));
    server.requests.length = 0;
  });

  for (const [size, content] of [
    ['a small', 'id\n1\n'],
    ['an empty', ''],
  ] as const)
    test(`uploads ${size} file at once, under any key, and leaves nothing next to it`, async () => {
      writeFileSync(file, content);
      await upload().finish();
      assert.equal(server.object(key)?.toString(), content);
      assert.deepEqual([server.requests.length, existsSync(`${file}.upload`)], [1, false]);
    });

  test('sends whole parts while the file grows, and the object is not there before the end', async () => {
    const content = bytes(2 * partBytes + 100);
    const growing = upload();
    writeFileSync(file, content.subarray(0, partBytes + 5));
    growing.grow(partBytes - 1);
    assert.equal(server.requests.length, 0);
    growing.grow(partBytes + 5);
    // A resumed batch rewrites what follows the final bytes.
    writeFileSync(file, content);
    await growing.finish();
    assert.deepEqual(sent(), [
      ...['POST?uploads', 'PUT?partNumber=1', 'PUT?partNumber=2', 'PUT?partNumber=3', 'POST?uploadId'],
    ]);
    assert.ok(server.object(key)?.equals(content));
    assert.deepEqual(server.uploads(), []);
  });

  test('resumes after a kill with the parts that the storage has', async () => {
    const content = bytes(3 * partBytes);
    writeFileSync(file, content);
    server.fail(/partNumber=3/, 403);
    await assert.rejects(upload().finish(), { name: 'BucketFault', status: 403 });
    assert.equal(server.object(key), null);
    assert.equal(server.uploads().length, 1);
    server.requests.length = 0;
    await upload().finish();
    assert.deepEqual(sent(), ['PUT?partNumber=3', 'POST?uploadId']);
    assert.ok(server.object(key)?.equals(content));
  });

  test('uploads the parts again whose bytes have changed', async () => {
    const changed = bytes(3 * partBytes);
    await unfinished(changed);
    changed.writeUInt32LE(99, partBytes + 8);
    writeFileSync(file, changed);
    await upload().finish();
    assert.deepEqual(sent(), ['PUT?partNumber=2', 'PUT?partNumber=3', 'POST?uploadId']);
    assert.ok(server.object(key)?.equals(changed));
  });

  test('uploads a file that has become small, and aborts the started upload', async () => {
    await unfinished(bytes(2 * partBytes));
    writeFileSync(file, 'id\n');
    await upload().finish();
    assert.equal(server.object(key)?.toString(), 'id\n');
    assert.deepEqual(server.uploads(), []);
  });

  test('starts over if the storage has lost the upload', async () => {
    const content = bytes(2 * partBytes);
    await unfinished(content);
    const { upload: id } = JSON.parse(readFileSync(`${file}.upload`, 'utf8'));
    await client.abort({ bucket: bucketName, key }, id);
    server.fail(/uploadId$/, 404);
    await upload().finish();
    assert.ok(server.object(key)?.equals(content));
  });

  test('recognises its object if the final response was lost', async () => {
    const content = bytes(2 * partBytes);
    writeFileSync(file, content);
    server.lose(/POST .*uploadId/);
    await upload().finish();
    assert.ok(server.object(key)?.equals(content));
    assert.equal(server.requests.filter((line) => line.endsWith('?uploads')).length, 1, 'one upload');
  });

  test('retries temporary failures, and reports permanent ones', async () => {
    writeFileSync(file, 'id\n');
    server.fail(/PUT/, 503);
    server.fail(/PUT/, null);
    await upload().finish();
    assert.equal(server.requests.length, 3);
    const wrong = new BucketClient({ settings: { ...settings, secret: 'not-it' }, proxy: {}, clock });
    const parts = { client: wrong, address: { bucket: bucketName, key }, type: 'text/csv', file };
    await assert.rejects(new FileUpload(parts).finish(), (error: Error) => {
      assert.match(error.message, /EXTRACT_S3_SECRET/);
      assert.doesNotMatch(`${error.message}${error.stack}`, /not-it/);
      return true;
    });
    await wrong.close();
    const elsewhere = { client, address: { bucket: 'no-such-bucket', key }, type: 'text/csv', file };
    await assert.rejects(new FileUpload(elsewhere).finish(), /there is no such bucket/);
  });

  test('is aborted with its parts in the storage', async () => {
    const running = await unfinished(bytes(2 * partBytes));
    assert.equal(server.uploads().length, 1);
    await running.discard();
    assert.deepEqual([server.uploads(), existsSync(`${file}.upload`)], [[], false]);
  });

  test('left by a killed process is aborted a day later, with its file', async () => {
    await unfinished(bytes(2 * partBytes));
    const folder = path.dirname(file);
    await discardLeftUploads(client, folder, Date.now());
    assert.equal(server.uploads().length, 1, 'today it may be at work');
    const old = statSync(file).mtimeMs / 1000 - 90_000;
    utimesSync(file, old, old);
    await discardLeftUploads(client, folder, Date.now());
    assert.deepEqual([server.uploads(), existsSync(file), existsSync(`${file}.upload`)], [[], false, false]);
  });
});
