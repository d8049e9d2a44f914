import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { argv, assertExit, extract } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const names = at('names.txt');
const lines = at('lines.ndjson');
const aFolder = at('folder');
const absent = at('absent');

before(async () => {
  mkdirSync(aFolder);
  writeFileSync(names, 'mira.kettle\n');
  assertExit(await extract(argv`batch shortvideo/profile ${names} --demo -q -o ${lines}`), 0);
});

const profile = argv`shortvideo profile mira.kettle --demo -o`;
const batch = argv`batch shortvideo/profile ${names} --demo -o`;

/** Commands that cannot write a file of this name, because of what is there or not. */
const isThere = (name: string) => new RegExp(`${name} cannot be written: a file with that name exists`);
const nowhere = (name: string) => new RegExp(`${name} cannot be written: its folder does not exist`);
const isFolder = /folder cannot be written: it is a folder/;
const order = /Pass the archive first\. For example: extract archive verify \S*x\.wacz \S*lines\.ndjson/;
const missing = /No such file: \S*absent/;
const bundle = ['doctor', '--bundle', at('b.json'), '--pages', absent];
const within = (place: string, name: string) => path.join(place, name);

/** Command lines that name an unusable file, and their error messages. */
const refused: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
  ['convert of a folder', ['convert', aFolder, at('new.csv')], /folder is a folder: choose a file in it/],
  ['verify of a folder', ['verify', aFolder, lines], /folder is a folder: choose the archive in it/],
  ['verify of results that are not there', ['verify', lines, absent], missing],
  ['verify with its files in the wrong order', ['verify', lines, at('x.wacz')], order],
  ['media of a folder', argv`media ${aFolder} --endpoint shortvideo/profile --demo`, /folder is a folder\./],
  ['media into a file', argv`media ${lines} ${names} --demo`, isThere('names.txt')],
  ['media in a file', argv`media ${lines} ${within(names, 'x')} --demo`, nowhere('x')],
  ['a bundle of pages that are not there', bundle, missing],
  ['pages kept in a file', argv`doctor --live --save ${names}`, isThere('names.txt')],
  ['a workbook in no folder', [...profile, within(absent, 'x.xlsx')], nowhere('x.xlsx')],
  ['a database in no folder', [...profile, within(absent, 'x.sqlite')], nowhere('x.sqlite')],
  ['a converted workbook in no folder', ['convert', lines, within(absent, 'x.xlsx')], nowhere('x.xlsx')],
  ['a batch into a folder', [...batch, aFolder], isFolder],
  ['a batch over a folder', [...batch, aFolder, '--overwrite'], isFolder],
  ['a batch into a file', [...batch, within(names, 'x.xlsx')], nowhere('x.xlsx')],
];

describe('an invalid file', () => {
  for (const [name, args, says] of refused) {
    test(`${name} is a fault of the command line`, async () => {
      const { err } = assertExit(await extract(args), 2, says);
      assert.equal(JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code, 'invalid_parameter');
    });
  }

  test('leaves nothing next to it', () => {
    const names = 'folder lines.ndjson lines.ndjson.checkpoint names.txt';
    assert.equal(readdirSync(folder).sort().join(' '), names);
  });
});

describe('webhooks listen', () => {
  before(() => {
    process.env.EXTRACT_WEBHOOK_SECRET = `whsec_${'c2VjcmV0'.repeat(4)}`;
  });
  after(() => {
    delete process.env.EXTRACT_WEBHOOK_SECRET;
  });

  test('names an unreadable certificate, and a port in use', async () => {
    const certificate = await extract(argv`webhooks listen --cert ${absent} --key ${absent}`);
    assertExit(certificate, 2, /No such file: \S*absent/);
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      const result = await extract(argv`webhooks listen --port ${String(port)}`);
      assertExit(result, 2, /Cannot listen on 127\.0\.0\.1, port \d+: another program uses the port/);
    } finally {
      other.close();
    }
  });
});
