import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { derivedLines } from '../../../src/files/evidence/derived-lines.js';
import { EvidenceReader } from '../../../src/files/evidence/evidence-reader.js';
import { EvidenceWriter } from '../../../src/files/evidence/evidence-writer.js';
import { stoppedClock } from '../../support/cases.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { archiveIn, lineOfCase, verdicts } from './harness.js';

describe('the archive of recorded pages', () => {
  for (const endpoint of endpoints) {
    test(`of ${endpoint.path} verifies as equal, and returns the same results again`, async () => {
      const file = archiveIn(temporaryFolder());
      const archive = await EvidenceWriter.open(file, stoppedClock);
      const lines: string[] = [];
      for (const one of await casesOf(endpoint)) lines.push(await lineOfCase(archive, endpoint, one));
      await archive.close();
      const all = await verdicts(file, lines);
      // Some readers know without a page that only a browser gets one.
      const withRecords = all.filter(({ line }) => JSON.parse(lines[line - 1] ?? '').records?.length !== 0);
      const others = withRecords.filter(({ status }) => status !== 'equal');
      assert.deepEqual(others, []);
      assert.ok(withRecords.length > 2);

      const reader = await EvidenceReader.open(file);
      const again: string[] = [];
      try {
        for await (const line of derivedLines(reader, endpoints)) again.push(line);
      } finally {
        await reader.close();
      }
      const answers = (text: readonly string[]) =>
        text.map((line) => JSON.parse(line)).filter(({ error }) => error === undefined);
      for (const line of answers(again)) {
        assert.ok(
          answers(lines).some((one) =>
            isDeepStrictEqual([one.data, one.coverage], [line.data, line.coverage]),
          ),
          JSON.stringify(line).slice(0, 300),
        );
      }
      assert.ok(answers(again).length > 0);
    });
  }
});
