import * as z from 'zod';

/** What a link shows: the changes of a schedule, or the rows of the last results of a job or schedule. */
export const linkKinds = ['feed', 'table'] as const;
export type LinkKind = (typeof linkKinds)[number];

const moment = z.iso.datetime();
const kind = z
  .enum(linkKinds)
  .describe('`table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed.');

export const newLinkRequest = z.strictObject({ kind });

/** A link that reads one job or schedule without a key, as listed. */
export const linkObject = z
  .strictObject({
    id: z.string().describe('ID of the link, `link_…`.'),
    kind,
    prefix: z.string().describe('The first characters of its token, to tell links apart.'),
    created_at: moment.describe('When it was created.'),
    last_read_at: moment.nullable().describe('When it was last read, to the minute; null if it never was.'),
  })
  .meta({ id: 'shared_link' });

export type SharedLink = Readonly<z.output<typeof linkObject>>;

/** A new link. Its addresses are shown only once. */
export const newLinkObject = linkObject
  .extend({
    urls: z
      .array(z.string())
      .describe(
        'Its URLs, not shown again: one ending in `.csv` for a table, one in `.atom` and one in `.json` for a feed.',
      ),
  })
  .meta({ id: 'new_shared_link' });
