/** Turns of the event loop that a group may gather for: bounds what the first of it waits. */
const maxTurns = 16;

/**
 * Resolves when what gathers has stopped growing for a turn of the event loop: so that what many ask for at about
 * the same time is done as one, and who asks alone waits for nobody.
 */
export async function coalesce(size: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; size() > before && turns < maxTurns; turns += 1) {
    before = size();
    await new Promise<void>((turn) => setImmediate(turn));
  }
}
