import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { getPlace, getShortvideoProfile, searchPlaces } from '../../lib/endpoints.js';
import { describe as describeParameter } from '../../lib/params/describe.js';
import { mapsPlaceDetail } from '../../lib/platforms/maps/objects.js';
import { shortvideoProfile } from '../../lib/platforms/shortvideo/objects.js';
import type { Schema } from '../../lib/schema.js';
import { bare, buildDeclarations, emptyProject } from '../support/type-declarations.js';

const file = path.join(emptyProject(buildDeclarations()), 'hover.ts');

/** A program whose marks `/*1*\/` stand before the words that are hovered. */
const program = `
import { /*import*/getPlace, createExtractor } from 'public-extract';
import { createClient } from 'public-extract/client';
const { data, meta } = await /*function*/getPlace({ /*parameter*/place_id: 'ChIJ', /*choice*/language: 'de' });
export const values = [data./*field*/rating, data.location?./*inner*/lat, meta./*meta*/next_cursor];
const extractor = createExtractor({ /*setting*/timeoutMs: 5 });
export const one = await extractor./*method*/searchPlaces({ /*own*/radius_m: 5, query: 'x' });
const client = createClient({ /*option*/baseUrl: 'https://extract.example' });
export const two = await client./*remote*/getShortvideoProfile({ /*handle*/username: 'x' });
const { sources } = await /*located*/getPlace({ place_id: 'ChIJ', /*asked*/sources: true });
export const url = sources[0]?./*source*/url;
export const three = two.data./*handleField*/username;
`;
writeFileSync(file, program);

const service = ts.createLanguageService({
  getCompilationSettings: () => bare,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) =>
    ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
  getCurrentDirectory: () => path.dirname(file),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** What an editor shows at a mark: the type, the description and the tags. */
function hover(mark: string) {
  const at = program.indexOf(`/*${mark}*/`) + mark.length + 4;
  const info = service.getQuickInfoAtPosition(file, at);
  assert.ok(info, mark);
  return {
    type: ts.displayPartsToString(info.displayParts),
    text: ts.displayPartsToString(info.documentation),
    tags: (info.tags ?? []).map(({ name, text }) => `${name} ${ts.displayPartsToString(text)}`),
  };
}

const meaning = (params: Readonly<Record<string, Schema>>, name: string) => {
  const schema = params[name];
  assert.ok(schema, name);
  return `${describeParameter(schema).text}.`;
};

describe('hovering', () => {
  test('a function shows its parameters, its answer, what it gives, its price and its errors', () => {
    const { summary, credits } = getPlace.endpoint;
    for (const mark of ['import', 'function']) {
      const { text, tags } = hover(mark);
      assert.ok(text.startsWith(`${summary}.\n\n`), text);
      assert.ok(text.endsWith(`Costs ${credits} credits. Answers are cached for 24 h.`), text);
      assert.match(tags.join(), /^throws ExtractError.*`place_not_found`/);
    }
    const signature =
      '(params: GetPlaceParams & SourcesParam<false>, options?: FunctionOptions): Promise<Envelope<MapsPlaceDetail>>';
    assert.ok(hover('function').type.includes(`getPlace<false>${signature}`));
    assert.match(hover('located').type, /: Promise<SourcedEnvelope<MapsPlaceDetail>>$/m);
  });

  test('a function of an extractor or a client shows the same', () => {
    for (const [mark, { endpoint }] of [
      ['method', searchPlaces],
      ['remote', getShortvideoProfile],
    ] as const) {
      const { type, text } = hover(mark);
      assert.ok(text.startsWith(`${endpoint.summary}.\n\n`), text);
      assert.match(
        type,
        /\(params: \w+Params & SourcesParam<false>, options\?: FunctionOptions\) => Promise<Envelope<\w+(\[\])?>>$/,
      );
    }
  });

  test('a parameter shows what it means, what it takes and its default', () => {
    const { params } = getPlace.endpoint;
    const identifier = `${meaning(params, 'place_id')}\n\nA string of 1 to 2,048 characters.`;
    assert.deepEqual(hover('parameter'), { type: '(property) place_id: string', text: identifier, tags: [] });
    const language = `${meaning(params, 'language')}\n\nA two-letter code; en when left out.`;
    assert.equal(hover('choice').text, language);
    const radius = `${meaning(searchPlaces.endpoint.params, 'radius_m')}\n\nA whole number from 100 to 50000; 5000 when left out.`;
    assert.equal(hover('own').text, radius);
    assert.equal(hover('asked').text, `${meaning(params, 'sources')}\n\nTrue or false; false when left out.`);
    // An @ would begin a tag, and end the description.
    const handle = hover('handle');
    assert.deepEqual(handle.tags, []);
    assert.match(handle.text, /^Handle without the leading `@`; case does not matter\.\n/);
  });

  test('a field of an answer shows its description, inside an object too', () => {
    const { rating } = mapsPlaceDetail.shape;
    const { type, text } = hover('field');
    assert.deepEqual([type, text], [`(property) MapsPlaceDetail.rating: number | null`, rating.description]);
    assert.equal(hover('inner').text, 'Degrees north.');
    assert.equal(
      hover('handleField').text,
      shortvideoProfile.shape.username.description?.replace('@', '`@`'),
    );
    assert.equal(hover('source').text, 'Public URL at which a person sees the item.');
    assert.equal(hover('meta').text, 'Send it back as `cursor` for the next page; null on the last page.');
  });

  test('a setting and an option show theirs', () => {
    assert.equal(hover('setting').text, 'Milliseconds before a call times out.');
    assert.match(hover('option').text, /^Address of the server/);
  });
});
