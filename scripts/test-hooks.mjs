// Keeps Node's test runner from tracking each promise with two hooks, which is more than half the processor time of an
// in-process test: 10.0 s instead of 4.3 for the schedule histories (Node 24, 2026-11). The runner uses them to
// attribute a call like `after()`, or an unhandled error, to a test. Without them, such a call of a test that has
// awaited something belongs to its file and runs at its end, and such an error fails the file. A Node.js without the
// option tracks promises anyway.
import hooks from 'node:async_hooks';

const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
// The runner reads the function when loaded, and creates its hook with the first test.
await import('node:test');
hooks.createHook = createHook;
