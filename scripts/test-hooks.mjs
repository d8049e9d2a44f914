// Spares node's test runner to follow each promise by two hooks, at its beginning and its end. That is more than half the
// processor time of a test that works in process: 10.0 s in place of 4.3 for the histories of schedules (Node 24,
// 2026-11). The runner follows them to find the test that a call like `after()`, or an error that nobody awaits, belongs
// to. Without, such a call of a test that has awaited something counts for its file and runs at its end, and such an
// error fails the file. A Node.js that does not know the option follows promises all the same.
import hooks from 'node:async_hooks';

const { createHook } = hooks;
hooks.createHook = (given) => createHook({ ...given, trackPromises: false });
// The runner takes the function when it is loaded, and makes its hook with the first test.
await import('node:test');
hooks.createHook = createHook;
