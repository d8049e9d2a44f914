import { createReadStream } from 'node:fs';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { boundHeap } from '../../../src/files/batch-files/bound-heap.js';
import { writeFromLines } from '../../../src/files/result-files/write-file.js';
import { reportCost } from '../batch/run.js';
import { wantedFile } from './rows.js';

/** The file as the batch builds it from its lines. */
const { kind, input, output } = wantedFile();
const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile') as Endpoint;
boundHeap();
const report = reportCost();
const lines = () => createReadStream(input, { highWaterMark: 64 * 1024 });
const run = { id: 'bench', at: new Date().toISOString() };
await writeFromLines({ endpoint, inputs: true, kind, file: output, run }, lines);
report(0);
