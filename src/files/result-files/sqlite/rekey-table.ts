import type { Database } from '../../../../lib/database/sqlite/driver.js';
import { itemColumn, type TablePlan } from './table-plan.js';
import { createTable, quoteName } from './table-sql.js';

/**
 * Migrates a table of 0.1.0, whose rows were keyed by input and position. They get a separate key, because their
 * platform IDs were not stored.
 */
export function rekeyTable(db: Database, plan: TablePlan): void {
  const present = (db.pragma(`table_info("${plan.name}")`) as { name: string; pk: number }[]).toSorted(
    (one, other) => one.pk - other.pk,
  );
  const isOlder = plan.keys[0]?.name === itemColumn && !present.some(({ name }) => name === itemColumn);
  if (present.length === 0 || !isOlder) return;
  const [input, position] = present.filter(({ pk }) => pk > 0).map(({ name }) => quoteName(name));
  const names = new Set(present.map(({ name }) => name));
  const columnNames = [...plan.keys, ...plan.columns]
    .map(({ name }) => name)
    .filter((name) => names.has(name));
  const earlier = quoteName(`${plan.name} of 0.1.0`);
  // The position of an item used to count from 0; in nested lists it still does.
  const values = columnNames.map((name) =>
    quoteName(name) === position ? `${position} + 1` : quoteName(name),
  );
  db.exec(`ALTER TABLE ${quoteName(plan.name)} RENAME TO ${earlier};
${createTable(plan)};
INSERT INTO ${quoteName(plan.name)} (${[itemColumn, ...columnNames].map(quoteName).join(', ')})
  SELECT 'of 0.1.0: ' || ${position} || ' ' || ${input}, ${values.join(', ')} FROM ${earlier};
DROP TABLE ${earlier};`);
}
