/** Maximum turns of the event loop that a group may grow for. Bounds the wait of its first member. */
const maxTurns = 16;

/**
 * Resolves when a group has not grown for a turn of the event loop, so that work for several simultaneous callers is
 * done as one. A single caller does not wait.
 */
export async function coalesce(size: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; size() > before && turns < maxTurns; turns += 1) {
    before = size();
    await new Promise<void>((turn) => setImmediate(turn));
  }
}
