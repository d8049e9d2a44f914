import type { SchemaSql } from '../../../../lib/database/schema-sql.js';

/**
 * The items that earlier runs gave. `met` counts up in each name: the lowest was met longest ago, whatever clocks
 * say. `missing`: readings to the end of the list that lacked the item, one after the other.
 */
export const seenItemsSchema: SchemaSql = {
  name: 'news',
  tables: `
    CREATE TABLE news_names (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      met INTEGER NOT NULL DEFAULT 0,
      items INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE news_subjects (
      id INTEGER PRIMARY KEY,
      name INTEGER NOT NULL,
      endpoint TEXT NOT NULL,
      question TEXT NOT NULL,
      object TEXT,
      items INTEGER NOT NULL DEFAULT 0,
      met INTEGER NOT NULL,
      UNIQUE (name, endpoint, question)
    ) STRICT;
    CREATE INDEX news_subjects_by_age ON news_subjects (name, met);

    CREATE TABLE news_items (
      subject INTEGER NOT NULL,
      item TEXT NOT NULL,
      met INTEGER NOT NULL,
      id TEXT,
      missing INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (subject, item)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX news_items_by_age ON news_items (subject, met);
  `,
  steps: [
    `
    ALTER TABLE news_items ADD COLUMN id TEXT;
    ALTER TABLE news_items ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;
    `,
  ],
};
