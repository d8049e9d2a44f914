/** Databases remember which runs are in them. Their module is loaded when one is looked at. */
const runs = () => import('./sqlite/runs.js');

/** True where a database holds all of a run. */
export async function databaseHasRun(file: string, id: string): Promise<boolean> {
  return (await runs()).hasRun(file, id);
}

/** Forgets that a database holds a run. Its rows stay. */
export async function forgetDatabaseRun(file: string, id: string): Promise<void> {
  (await runs()).forgetRun(file, id);
}
