// Two batches of so many inputs of an endpoint, with `sources` and without, run on by turns. Their pages are fetched from a
// site that stands in place of the platform's hosts. Prints the ratio of their processor time.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import { casesOf } from '../../lib/samples.js';
import { runToLines } from './batch/run-to-lines.js';
import { compare, processorMs } from './compare.js';

const [endpointPath, inputs] = process.argv.slice(2);
const endpoint = endpoints.find(({ path }) => path === endpointPath) as Endpoint;
/** So few that both have their share of whatever else the machine does. */
const inputsPerTurn = 5;
const rounds = Math.ceil(Number(inputs) / inputsPerTurn);
const warmUp = 50;

const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
// No memory tier, as the command has it; the environment says where the site is.
const client = createExtractor(readConfig({ home, cacheMemoryMb: 0, browser: 'never' }));
const ledger = await client.ledger();
const at = new Date().toISOString();
await ledger.grant({ id: 'bench', account: 'local', credits: 10_000_000, kind: 'pack', at });
const [sample] = await casesOf(endpoint);
const params = { ...sample?.params, fresh: true };
const [fetched, sampled] = [params, { ...params, demo: true }].map((one) => client.answer(endpoint, one));
assert.equal((await fetched)?.json, (await sampled)?.json, 'the site answers as the sample does');

/** Begins a batch, which runs on for a turn when it is told to. */
function batchOf(name: string, input: object) {
  const line = Buffer.from(`${JSON.stringify(input)}\n`);
  let wanted = 0;
  let [goOn, onTurn] = [() => {}, () => {}];
  async function* chunks() {
    for (let given = 0; given < (warmUp + rounds) * inputsPerTurn; given += 1) {
      if (given === wanted) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      yield line;
    }
  }
  const ended = runToLines({
    ...{ client, endpoint, chunks: chunks(), output: path.join(home, name) },
    // Equal calls that are made at once share a fetch.
    concurrency: 1,
    onLine(totals) {
      assert.equal(totals.ok, totals.inputs, 'an input failed');
      if (totals.inputs === wanted) onTurn();
    },
  });
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      onTurn = resolve;
      ended.catch(reject);
      wanted += inputsPerTurn;
      goOn();
    });
  return { turn, ended };
}

const located = batchOf('located', { ...params, sources: true });
const plain = batchOf('plain', params);
const ratio = await compare(located.turn, plain.turn, { rounds, repeats: 1, warmUp, now: processorMs });
await Promise.all([located.ended, plain.ended]);
await client.close();
rmSync(home, { recursive: true });
console.log(JSON.stringify(ratio));
