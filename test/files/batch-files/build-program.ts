import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { makeFile } from '../../../src/files/batch-files/made-file.js';
import { type ResultOutput, resultFile } from '../../../src/files/batch-files/result-output.js';

/** Builds an output from its lines, in a process that can be killed: one JSON argument says which. */
const { id, ...output } = JSON.parse(process.argv[2] ?? '') as Omit<ResultOutput, 'endpoint'> & {
  id: string;
};
const endpoint = endpoints.find(({ path }) => path === 'photosocial/profile') as Endpoint;
process.stdout.write('begun\n');
await makeFile(resultFile({ ...output, endpoint }, systemClock), id, new AbortController().signal);
process.stdout.write('built\n');
