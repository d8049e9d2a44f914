import type { Postgres } from '../../lib/database/postgres/postgres.js';

/** Server processes whose connections match a condition on `pg_stat_activity`. */
export async function backendsWhere(postgres: Postgres, condition: string): Promise<readonly number[]> {
  const rows = await postgres.read((queries) =>
    queries.rows<{ readonly pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datname = current_database() AND ${condition}`,
    ),
  );
  return rows.map(({ pid }) => pid);
}

/** Suspends processes of the server; the returned function resumes them. */
export function freeze(pids: readonly number[]): () => void {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}
