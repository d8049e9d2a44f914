import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  double,
  int,
  m,
  type ProtobufPart,
  protobufText,
  string,
} from '../../../lib/platforms/maps/protobuf.js';
import { placeMask, searchMask } from '../../../lib/platforms/maps/response-masks.js';
import { type Decoded, decodePb } from '../../support/pb-decode.js';

/** The constant part of a search as the web application sent it in July 2026, without session tokens. */
const recordedSearch = [
  '!12m58!1m5!18b1!30b1!31m1!1b1!34e1!2m4!5m1!6e2!20e3!39b1!6m30!32i1!49b1!63m0!66b1!85b1!114b1',
  '!149b1!206b1!209b1!212b1!215b1!216b1!222b1!223b1!232b1!234b1!235b1!239b1!246b1!253b1!260b1',
  '!266b1!270b1!273b1!280b1!281b1!286b1!291m0!302i300!303i100!10b1!12b1!13b1!14b1!16b1!17m1!3e1',
  '!20m4!5e2!6b1!8b1!14b1!46m1!1b0!96b1!99b1!19m4!2m3!1i360!2i120!4i8!20m57!2m2!1i203!2i100!3m2',
  '!2i4!5b1!6m6!1m2!1i86!2i86!1m2!1i408!2i240!7m33!1m3!1e1!2b0!3e3!1m3!1e2!2b1!3e2!1m3!1e2!2b0!3e3',
  '!1m3!1e8!2b0!3e3!1m3!1e10!2b0!3e3!1m3!1e10!2b1!3e2!1m3!1e10!2b0!3e4!1m3!1e9!2b1!3e2!2b1!9b0',
  '!15m8!1m7!1m2!1m1!1e2!2m2!1i195!2i195!3i20!15i9937!24m107!1m25!13m9!2b1!3b1!4b1!6i1!8b1!9b1',
  '!14b1!20b1!25b1!18m14!3b1!4b1!5b1!6b1!13b1!14b1!17b1!21b1!22b1!32b1!33m1!1b1!34b1!36e2!10m1!8e3',
  '!11m1!3e1!17b1!20m2!1e3!1e6!24b1!25b1!26b1!27b1!29b1!30m1!2b1!36b1!37b1!39m3!2m2!2i1!3i1!43b1',
  '!52b1!54m1!1b1!55b1!56m1!1b1!61m2!1m1!1e1!65m5!3m4!1m3!1m2!1i224!2i298!72m22!1m8!2b1!5b1!7b1',
  '!12m4!1b1!2b1!4m1!1e1!4b1!8m10!1m6!4m1!1e1!4m1!1e3!4m1!1e4',
  '!3sother_user_google_review_posts__and__hotel_and_vr_partner_review_posts!6m1!1e1!9b1!89b1!90m2',
  '!1m1!1e2!98m3!1b1!2b1!3b1!103b1!113b1!114m3!1b1!2m1!1b1!117b1!122m1!1b1!126b1!127b1!128m1!1b1',
  '!26m4!2m3!1i80!2i92!4i8!30m28!1m6!1m2!1i0!2i0!2m2!1i530!2i768!1m6!1m2!1i974!2i0!2m2!1i1024',
  '!2i768!1m6!1m2!1i0!2i0!2m2!1i1024!2i20!1m6!1m2!1i0!2i748!2m2!1i1024!2i768!34m19!2b1!3b1!4b1!6b1',
  '!8m6!1b1!3b1!4b1!5b1!6b1!7b1!9b1!12b1!14b1!20b1!23b1!25b1!26b1!31b1!37m1!1e81!42b1!49m10!3b1',
  '!6m2!1b1!2b1!7m2!1e3!2b1!8b1!9b1!10e2!50m3!2e2!3m1!3b1!61b1!67m5!7b1!10b1!14b1!15m1!1b0!69i788',
  '!77b1',
].join('');

/** The constant part of a place request; its group 14 also contained a session token, next to `7e81`. */
const recordedPlace = [
  '!12m4!2m3!1i360!2i120!4i8!13m57!2m2!1i203!2i100!3m2!2i4!5b1!6m6!1m2!1i86!2i86!1m2!1i408!2i240',
  '!7m33!1m3!1e1!2b0!3e3!1m3!1e2!2b1!3e2!1m3!1e2!2b0!3e3!1m3!1e8!2b0!3e3!1m3!1e10!2b0!3e3!1m3!1e10',
  '!2b1!3e2!1m3!1e10!2b0!3e4!1m3!1e9!2b1!3e2!2b1!9b0!15m8!1m7!1m2!1m1!1e2!2m2!1i195!2i195!3i20',
  '!14m1!7e81!15m110!1m28!13m9!2b1!3b1!4b1!6i1!8b1!9b1!14b1!20b1!25b1!18m17!3b1!4b1!5b1!6b1!9b1',
  '!13b1!14b1!17b1!20b1!21b1!22b1!30b1!32b1!33m1!1b1!34b1!36e2!10m1!8e3!11m1!3e1!17b1!20m2!1e3!1e6',
  '!24b1!25b1!26b1!27b1!29b1!30m1!2b1!36b1!37b1!39m3!2m2!2i1!3i1!43b1!52b1!54m1!1b1!55b1!56m1!1b1',
  '!61m2!1m1!1e1!65m5!3m4!1m3!1m2!1i224!2i298!72m22!1m8!2b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!4b1!8m10',
  '!1m6!4m1!1e1!4m1!1e3!4m1!1e4',
  '!3sother_user_google_review_posts__and__hotel_and_vr_partner_review_posts!6m1!1e1!9b1!89b1!90m2',
  '!1m1!1e2!98m3!1b1!2b1!3b1!103b1!113b1!114m3!1b1!2m1!1b1!117b1!122m1!1b1!126b1!127b1!128m1!1b1',
  '!22m1!1e81!29m0!30m6!3b1!6m1!2b1!7m1!2b1!9b1!34m5!7b1!10b1!14b1!15m1!1b0!37i788',
].join('');

const leaf = fc.oneof(
  fc.tuple(fc.nat(400), fc.integer()).map(([field, value]) => int(field, value)),
  fc.tuple(fc.nat(400), fc.string()).map(([field, value]) => string(field, value)),
  fc
    .tuple(fc.nat(400), fc.double({ min: -180, max: 180, noNaN: true }))
    .map(([field, value]) => double(field, value)),
  fc.tuple(fc.nat(400), fc.boolean()).map(([field, value]): ProtobufPart => `${field}b${Number(value)}`),
);
const { parts } = fc.letrec<{ parts: readonly ProtobufPart[]; part: ProtobufPart }>((tie) => ({
  parts: fc.array(tie('part'), { maxLength: 5 }),
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.tuple(fc.nat(400), tie('parts')).map(([field, members]) => m(field, ...members)),
  ),
}));

describe('the pb parameter', () => {
  test('a group states the number of its tokens', () => {
    assert.equal(
      protobufText([m(4, m(1, '1d2', '2d3'), m(3, '1i4'), '4f13.1')]),
      '!4m6!1m2!1d2!2d3!3m1!1i4!4f13.1',
    );
    assert.equal(protobufText([m(29)]), '!29m0');
    assert.equal(protobufText([]), '');
  });

  test('any groups are read back as they were written', () => {
    fc.assert(
      fc.property(parts, (groups) => {
        assert.deepEqual(decodePb(protobufText(groups)), groups as readonly Decoded[]);
      }),
    );
  });

  test('a text escapes the separators', () => {
    assert.equal(string(1, 'a!2b*3'), '1sa*212b*2A3');
    fc.assert(
      fc.property(fc.string(), (words) => {
        assert.equal(decodePb(protobufText([string(1, words), '2b1'])).length, 2);
      }),
    );
  });

  test('a decimal has no exponent', () => {
    assert.equal(double(1, 1e-7), '1d0.0000001');
    assert.equal(double(1, -1e-12), '1d-0.0000000');
    assert.equal(double(2, 47.0707), '2d47.0707');
    assert.equal(double(3, -8), '3d-8');
  });
});

describe('the response masks', () => {
  test('the search mask is that of the web application', () => {
    assert.equal(protobufText(searchMask), recordedSearch);
  });

  test('the place mask is that of the web application', () => {
    assert.equal(protobufText(placeMask), recordedPlace);
  });

  test('the search mask has the parts that a search requires', () => {
    const fields = decodePb(protobufText(searchMask)).map((part) =>
      typeof part === 'string' ? part : part.field,
    );
    assert.ok(fields.includes(34) && fields.includes(24) && fields.includes('15i9937'));
  });
});
