import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { type BuiltOutput, buildOutput } from '../../../src/files/batch-files/built-output.js';

/** Builds an output from its lines, in a process that can be killed: one JSON argument says which. */
const { id, ...output } = JSON.parse(process.argv[2] ?? '') as Omit<BuiltOutput, 'endpoint'> & { id: string };
const endpoint = endpoints.find(({ path }) => path === 'photosocial/profile') as Endpoint;
process.stdout.write('begun\n');
await buildOutput({ ...output, endpoint }, { id, clock: systemClock, signal: new AbortController().signal });
process.stdout.write('built\n');
