import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { catalogue } from '../lib/errors/catalogue.js';
import { sites } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { manPage } from '../scripts/man-page.js';
import { settings } from '../src/config/settings.js';
import { openApiDocument } from '../src/faces/server/openapi/document.js';
import { extract } from './support/cli.js';
import { testServer } from './support/server.js';

/** Phrases that no reader should meet again (2026-11), with what to write instead. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/accepted means done/i, 'Run batch jobs on a server'],
  [/answers that are kept/i, 'the answer cache'],
  [/without room/i, 'Hidden for lack of width'],
  [/unless said/i, 'Default:'],
  [/\bfor nothing\b/i, 'free'],
  [/\bcosts? nothing\b/i, 'free'],
  [/what failed lately/i, 'Recent failures'],
  [/\ball that failed\b/i, 'View all'],
  [/in the name of your account/i, 'Keys authenticate calls to your account'],
  [/^(#+ )?going on\b:?/im, 'Resume and retry'],
  [/^(#+ )?telling\b:?/im, 'Progress'],
  [/\bkept for \d+ ?(s\b|seconds|h\b|hours)/i, 'cached for 6 h'],
  [/cached for \d+ seconds/i, 'cached for 6 h'],
  [/when the money is there/i, 'Once you have been paid'],
  [/display help for command|show the help for|output the version/i, 'Show this help'],
  [/\(choices: |\(default: /, 'Choices: … Default: …'],
  [/shows how it goes/i, 'shows how to use it'],
  [/under way go on/i, 'Running jobs continue'],
  [/again and again/i, 'Repeat'],
  [/take the call with you/i, 'copy the call as code'],
  [/upper and lower case are the same|upper and lower case differ/i, 'case does not matter'],
  [/\bsigns? along\b/i, 'stays valid'],
  [/nothing comes\s+twice/i, 'nothing is repeated'],
  [/(does|do) not tell\b/i, 'does not say'],
  [/where this is asked from/i, 'in this location'],
  [/pass back as/i, 'Send it back as'],
  [/\bstarts? anew\b/i, 'starts over'],
  [/\bhardly ever\b/i, 'rarely'],
  [/\bof late\b/i, 'recent'],
  [/\bfields that fall\b/i, 'missing fields'],
  [/what came of it|what became of it/i, 'Result'],
  [/credits were given back/i, 'is refunded'],
  [/is cut, or has a typing slip/i, 'looks truncated or mistyped'],
  [/a text of \d+ to/i, 'a string of … characters'],
  [/\banswers (a list of|sample data|status)/i, 'returns'],
  [/\banswer with (sample|demo)/i, 'Return sample data'],
  [/endpoints are ok; of/i, '1 endpoint is OK; no data yet for 17.'],
  [/come from canaries/i, 'Based on test calls with known answers'],
  [/\breaders? (of pages )?(must|needs? to) be mended|must be mended/i, 'The parser needs an update.'],
  [/fields that an answer may lack/i, 'Optional fields'],
  [/gets? well by\s+itself/i, 'recovers on its own'],
  [/finds no way to the database/i, 'cannot reach the database'],
  [/its log of writes/i, 'its WAL'],
  [/how far (they|the tables) are/i, 'if a migration is pending'],
  [/one tool a kind/i, 'one tool per kind'],
  [/takes what it has of/i, 'Where they apply, tools take'],
  [/cannot be continued in the middle/i, 'cannot be resumed mid-file'],
  [/is no parameter of/i, 'Unknown column'],
  [/with a fault of its own/i, 'returns a server error'],
  [/\bundisguised\b/i, 'as it is, openly'],
  [/for one call\s+each/i, '200 inputs × 3 credits = 600 at most'],
];

/** One spelling of a word, in sentences: names of parameters, fields, folders and columns are written as code. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.`$<{/:?=&|-]|parameter |fields )ids?(?![\w=:`/}>-]|\.\w)/, 'ID'],
  [/\b(Ids?|Urls?)\b/, 'ID, URL'],
  [/(?<![\w`$@./:{-])[Mm]ails?(?![\w/`-]| server|\.\w)/, 'e-mail'],
  [/(?<![\w`$@./:{?&-])[Ee]mails?(?![\w/=`-]|\.\w)/, 'e-mail'],
];

/** Throws for each phrase of a text that is not to be met again. */
function assertWorded(where: string, text: string): void {
  const found = banned.flatMap(([pattern, instead]) => {
    const [hit] = pattern.exec(text) ?? [];
    return hit === undefined ? [] : [`${where}: “${hit.trim()}” → ${instead}`];
  });
  assert.deepEqual(found, []);
}

/** What is in the sentences of a Markdown text: no code. */
const withoutCode = (markdown: string) =>
  markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/`[^`\n]*`/g, '``')
    .replace(/\]\([^)\s]*\)/g, ']');

/** Throws where a sentence spells a word in another way than the rest. */
function assertSpelled(where: string, text: string): void {
  const found = text
    .split('\n')
    .flatMap((line) =>
      spellings.flatMap(([pattern, instead]) =>
        pattern.test(line) ? [`${where}: ${line.trim()} → ${instead}`] : [],
      ),
    );
  assert.deepEqual(found, []);
}

/** The sentences in a source: literals and text of pages. */
function sentencesOf(name: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node);
    if (isText || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) {
      if (/[a-z’]+ [a-z]+ [a-z]+/.test(node.text)) found.push(withoutCode(node.text));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest, true));
  // Lists of words, and SQL, are no sentences.
  return found.filter(
    (text) => !/^[a-z ]+$|\b(SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|ORDER BY)\b/.test(text),
  );
}

const root = packageRoot();
const siteHosts = sites.flatMap(({ hosts }): readonly string[] => hosts);
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

/** Files of a folder and those below it. */
const filesOf = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .map((name) => path.join(folder, name));

/** Comments are for those who read the source. */
const withoutComments = (source: string) =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

describe('texts that users read are worded as people say it', () => {
  test('README and guides', () => {
    for (const name of ['README.md', 'CHANGELOG.md', ...filesOf('docs', /\.md$/)]) {
      assertWorded(name, read(name));
      assertSpelled(name, withoutCode(read(name)));
    }
  });

  test('the help of every command, and the manual page', async () => {
    const page = await manPage();
    assertWorded('extract.1', page.replaceAll('\\-', '-'));
    const commands = [...page.matchAll(/^\.SS extract (.*)$/gm)].map(([, words = '']) =>
      words.replaceAll('\\-', '-'),
    );
    assert.ok(commands.length > 50, String(commands.length));
    const sentences: string[] = [];
    for (const words of ['', ...commands]) {
      const { out, status } = await extract([...words.split(' ').filter(Boolean), '--help']);
      assert.equal(status, 0, words);
      assertWorded(`extract ${words} --help`, out);
      sentences.push(out.replace(/^Fields: [\s\S]*?\n\n/m, '').replace(/^ {2}\S+/gm, ''));
      // No address in the help leads to nowhere: examples, pages of the platforms, and what runs on this machine.
      for (const [address] of out.matchAll(/https?:\/\/[^\s)”']+/g)) {
        const { hostname } = new URL(address);
        const isOfPlatform = siteHosts.some((host) =>
          `.${hostname}`.endsWith(host.startsWith('.') ? host : `.${host}`),
        );
        assert.ok(
          isOfPlatform || /(^|\.)example(\.com)?$|^localhost$|^127\.0\.0\.1$/.test(hostname),
          `${words}: ${address}`,
        );
      }
    }
    // Names of fields and arguments stand at the left, or in a list of their own.
    assertSpelled('help', sentences.join('\n'));
  });

  test('errors and settings', () => {
    for (const [code, { summary, next }] of Object.entries(catalogue)) {
      assertWorded(code, `${summary}\n${next}`);
      for (const text of [summary, next]) assert.match(text, /^[A-Z“].*[^ ]\.$/, `${code}: ${text}`);
    }
    for (const { name, text } of settings) assertWorded(name, text);
    for (const { summary, next } of Object.values(catalogue)) assertSpelled(summary, `${summary}\n${next}`);
  });

  test('the description of the API, llms.txt and the tools', async () => {
    assertWorded('openapi.json', JSON.stringify(await openApiDocument('https://docs.example')));
    const server = await testServer();
    const { text } = await server.ask('/llms.txt');
    assertWorded('llms.txt', text);
    const pages = [...text.matchAll(/\]\((\S+\.md)\)/g)].map(([, link = '']) => new URL(link).pathname);
    assert.ok(pages.length > 40, String(pages.length));
    for (const page of pages) assertWorded(page, (await server.ask(page)).text);
  });

  test('messages and pages in the sources', () => {
    for (const name of ['lib', 'src'].flatMap((folder) => filesOf(folder, /\.tsx?$/))) {
      assertWorded(name, withoutComments(read(name)));
    }
  });

  test('ID, URL and e-mail are each spelled one way', () => {
    for (const text of ['the id of a place', 'Ids of places', 'You get a mail.', 'your email', 'an Url']) {
      assert.throws(() => assertSpelled('', text), text);
    }
    const sentences = ['lib', 'src']
      .flatMap((folder) => filesOf(folder, /\.tsx?$/))
      .flatMap((name) => sentencesOf(name).map((text) => `${name}: ${text}`));
    assert.ok(sentences.length > 1500, String(sentences.length));
    assertSpelled('sources', sentences.join('\n'));
  });
});
