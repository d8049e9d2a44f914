// The files that a release makes beside the package: notes, bill of materials, checksums, texts of package managers.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { parse } from 'yaml';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { checksumLines, checksumsFile, digestsOf } from '../../scripts/release/checksums.js';
import { notesOf } from '../../scripts/release/notes.js';
import { packageManagerFiles } from '../../scripts/release/package-managers.js';
import { billOfMaterials, bundledPackages } from '../../scripts/release/sbom.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const root = packageRoot();

describe('the notes of a version', () => {
  const changelog = '# Changelog\n\n## 0.2.0\n\n- Two.\n\n## 0.1.0, 2026-11-23\n\n- One.\n';

  test('are its section of the changelog', () => {
    assert.equal(notesOf(changelog, '0.1.0'), '- One.\n');
    assert.equal(notesOf(changelog, '0.2.0'), '- Two.\n');
  });

  test('are missed where there are none', () => {
    assert.throws(() => notesOf(changelog, '0.3.0'), /no section for 0\.3\.0/);
    assert.throws(() => notesOf('## 0.3.0\n\n## 0.2.0\n', '0.3.0'), /says nothing/);
  });

  test('exist for the version of the package', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.match(notesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version), /^- /m);
  });
});

describe('the bill of materials', () => {
  const thirdParty = [
    'The files in this folder contain code of these packages.\n',
    'commander 15.1.0 (MIT)\n\n(The MIT License)\nCopyright 2011 (someone)\n',
    '@fastify/cookie 11.1.5 (MIT)\n\ntext\n',
    'type-fest 5.0.0 ((MIT OR CC0-1.0))\n\ntext\n',
  ].join('\n--------\n\n');

  test('names the bundled packages and those that are installed', () => {
    assert.deepEqual(
      bundledPackages(thirdParty).map(({ name, license }) => [name, license]),
      [
        ['commander', 'MIT'],
        ['@fastify/cookie', 'MIT'],
        ['type-fest', '(MIT OR CC0-1.0)'],
      ],
    );
    const { components } = JSON.parse(billOfMaterials(root, thirdParty)) as {
      readonly components: readonly { readonly purl: string }[];
    };
    const purls = components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
    assert.deepEqual(purls.sort(), [
      'pkg:npm/%40fastify/cookie',
      'pkg:npm/better-sqlite3',
      'pkg:npm/commander',
      'pkg:npm/node-addon-api',
      'pkg:npm/type-fest',
    ]);
  });

  test('is valid CycloneDX, and the same each time', async () => {
    const bill = billOfMaterials(root, thirdParty);
    assert.equal(await new Validation.JsonStrictValidator(Spec.Spec1dot6.version).validate(bill), null);
    assert.equal(billOfMaterials(root, thirdParty), bill);
  });
});

test('the list of checksums is read by sha256sum, which finds a byte that changed', async () => {
  const place = path.join(folder, 'sums');
  mkdirSync(place);
  writeFileSync(path.join(place, 'one'), 'one');
  writeFileSync(path.join(place, 'two'), 'two');
  writeFileSync(path.join(place, checksumsFile), checksumLines(await digestsOf(place)));
  const check = () =>
    spawnSync('sha256sum', ['--check', '--strict', checksumsFile], { cwd: place, encoding: 'utf8' });
  assert.equal(check().stdout, 'one: OK\ntwo: OK\n');
  writeFileSync(path.join(place, 'two'), 'twp');
  assert.match(check().stdout, /two: FAILED/);
});

describe('the texts of package managers', () => {
  const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64.exe'];
  const release = {
    version: '1.2.3',
    summary: 'Data from public pages',
    homepage: 'https://extract.example.com',
    license: 'MIT',
    base: 'https://extract.example.com/releases/v1.2.3',
    digests: new Map(targets.map((target, index) => [`extract-${target}`, String(index).repeat(64)])),
  };
  const files: Readonly<Record<string, string>> = packageManagerFiles(release);

  test('each name the version, and the address and digest of every executable', () => {
    const all = Object.values(files).join('\n');
    for (const [name, digest] of release.digests) {
      assert.ok(all.includes(`${release.base}/${name}`), name);
      assert.ok(all.includes(digest), name);
    }
    for (const [name, text] of Object.entries(files)) assert.ok(text.includes('1.2.3'), name);
  });

  test('are what each of them parses', () => {
    for (const [name, text] of Object.entries(files)) {
      if (name.endsWith('.json')) assert.equal(JSON.parse(text).version, '1.2.3');
      if (name.endsWith('.yaml')) assert.equal(parse(text).PackageVersion, '1.2.3');
    }
    // A build file of Arch Linux is a script of the shell, and is read by it.
    const said = execFileSync('bash', ['-c', `${files['aur/PKGBUILD']}\necho "$pkgver $sha256sums_x86_64"`], {
      encoding: 'utf8',
    });
    assert.equal(said, `1.2.3 ${'0'.repeat(64)}\n`);
  });

  test('are refused where an executable is missing', () => {
    assert.throws(() => packageManagerFiles({ ...release, digests: new Map() }), /no executable for/);
  });
});
