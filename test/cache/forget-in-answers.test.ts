import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { forgetInAnswers } from '../../lib/cache/forget-in-answers.js';
import { openCache } from '../../lib/cache/open-cache.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf } from './cache-port.js';

/** Forgets a subject in a cache of these texts. Gives how many answers were removed, and how many there are. */
async function forget(subject: string, texts: readonly string[]): Promise<readonly [number, number]> {
  const file = path.join(temporaryFolder(), 'answers.db');
  const cache = openCache({ file, memoryBytes: 0 });
  for (const [at, text] of texts.entries())
    await cache.set(String(at), answerOf(JSON.stringify({ by: text })), 600);
  await cache.close();
  const db = await openSqliteFile(file);
  try {
    const removed = await forgetInAnswers(queriesOn(db), new Traces([parseSubject(subject)]));
    const rest = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM answers').get();
    return [removed, rest?.count ?? 0];
  } finally {
    db.close();
  }
}

describe('forgetting a subject in the cached answers of a file', () => {
  test('removes those that name it, in capitals of any script and with marks apart', async () => {
    const others = Array.from({ length: 250 }, (_, at) => `Мария ${at}`);
    assert.deepEqual(
      await forget('maps:Иван Йов', [
        ...others,
        ...['Иван Йов', 'ИВАН ЙОВ', 'иван йов'.normalize('NFD'), 'maps/search/%D0%98%D0%B2%D0%B0%D0%BD+Йов'],
      ]),
      [4, 250],
    );
    assert.deepEqual(await forget('maps:Ωμέγα Άρης', ['ΩΜΈΓΑ ΆΡΗΣ', 'Ωμέγα']), [1, 1]);
    assert.deepEqual(await forget('maps:陈大文', ['陈大文', '陈大']), [1, 1]);
  });

  test('removes answers that contain the ASCII letters of its name', async () => {
    assert.deepEqual(await forget('maps:Jané Doe', ['JANÉ DOE', 'jane\u0301 doe', 'Jan Do']), [2, 1]);
  });
});
