import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { CDXIndexer, WARCParser } from 'warcio';
import { openPromise } from 'yauzl';
import { EvidenceWriter } from '../../../src/files/evidence/evidence-writer.js';
import { openWacz } from '../../../src/files/evidence/wacz-file.js';
import { sha256 } from '../../../src/files/evidence/warc-record.js';
import { stoppedClock } from '../../support/cases.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { archiveIn, exchange } from './harness.js';

/** An archive of all kinds of exchanges, and its WARC file as a stream. */
async function sampleArchive() {
  const file = archiveIn(temporaryFolder());
  const archive = await EvidenceWriter.open(file, stoppedClock);
  const url = 'https://www.example.com/graphql/query';
  const form = {
    method: 'POST',
    url,
    requestBody: 'b=2&a=%7B%22x%22%3A1%7D',
    requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
  } as const;
  const moved = { url: 'https://www.example.com/Old?z=1&a=2', status: 302, headers: { location: '/new' } };
  await archive.addExchange(exchange('<p>été</p>'));
  await archive.addExchange(exchange('{"ok":true}', undefined, form));
  await archive.addExchange(exchange('', undefined, moved));
  await archive.addExchange(exchange('<p>été</p>', Date.UTC(2026, 10, 6)));
  await archive.close();
  const { segments, manifest } = await openWacz(file);
  const [segment] = segments;
  if (segment === undefined) throw new Error('The archive has no WARC file.');
  const { start, size } = segment;
  return { file, manifest, warc: () => createReadStream(file, { start, end: start + size - 1 }) };
}

/** The files of a zip, by name. */
async function filesOf(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await openPromise(file, { autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return files;
}

describe('other tools', () => {
  test('read the records of an archive as they were written', async () => {
    const { warc } = await sampleArchive();
    const kinds: string[] = [];
    for await (const record of new WARCParser(warc())) {
      const payload = await record.readFully(false);
      const type = record.warcType ?? '';
      kinds.push(type);
      assert.match(record.warcHeaders.headers.get('WARC-Record-ID') ?? '', /^<urn:uuid:[\da-f-]{36}>$/);
      if (type === 'response') {
        assert.equal(record.warcPayloadDigest, sha256(payload));
        assert.doesNotMatch(String(record.httpHeaders), /hidden/);
      }
      if (type === 'revisit') {
        assert.equal(record.warcRefersToTargetURI, 'https://www.example.com/a?b=1');
        assert.equal(payload.length, 0);
      }
    }
    const pair = ['request', 'response'];
    assert.deepEqual(kinds, ['warcinfo', ...pair, ...pair, ...pair, 'request', 'revisit']);
  });

  test('find records at the positions of the index', async () => {
    const { file, warc } = await sampleArchive();
    const lines = String((await filesOf(file)).get('indexes/index.cdx'))
      .trim()
      .split('\n');
    assert.deepEqual(lines, lines.toSorted());
    const places = (line: string) => {
      const at = line.lastIndexOf(' {"');
      const { offset, length, status } = JSON.parse(line.slice(at));
      return { key: line.slice(0, at), offset, length, status };
    };
    const other: string[] = [];
    const options = { format: 'cdxj' };
    for await (const cdx of new CDXIndexer(options as never).iterIndex([
      { filename: 'data.warc.gz', reader: warc() },
    ])) {
      const { urlkey, timestamp, offset, length, status } = cdx as Record<string, unknown>;
      if (status === undefined) continue;
      other.push(
        `${urlkey} ${timestamp} ${JSON.stringify({ offset: `${offset}`, length: `${length}`, status: `${status}` })}`,
      );
    }
    assert.deepEqual(lines.map(places), other.toSorted().map(places));
  });

  test('find the manifest that the format requires', async () => {
    const { file, manifest } = await sampleArchive();
    const files = await filesOf(file);
    const about = JSON.parse(String(files.get('datapackage.json')));
    assert.equal(about.profile, 'data-package');
    assert.equal(about.wacz_version, '1.1.1');
    const ownFiles = new Set(['datapackage.json', 'datapackage-digest.json']);
    const listed = about.resources.map((one: { path: string }) => one.path).toSorted();
    assert.deepEqual(listed, [...files.keys()].filter((name) => !ownFiles.has(name)).toSorted());
    for (const { path, hash, bytes, name } of about.resources) {
      assert.equal(hash, sha256(files.get(path) ?? Buffer.of()));
      assert.equal(bytes, files.get(path)?.length);
      assert.equal(path.endsWith(name), true);
    }
    const hash = sha256(files.get('datapackage.json') ?? Buffer.of());
    const digest = JSON.parse(String(files.get('datapackage-digest.json')));
    assert.deepEqual(digest, { path: 'datapackage.json', hash });
    const [head] = String(files.get('pages/pages.jsonl')).split('\n');
    assert.deepEqual(JSON.parse(head ?? ''), { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' });
    assert.equal(manifest.resources.length, 3);
    assert.match(String(readFileSync(file).subarray(-71)), /^sha256:[\da-f]{64}$/);
  });
});
