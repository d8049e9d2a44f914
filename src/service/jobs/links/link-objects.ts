import * as z from 'zod';

/** The content of each kind of link: the changes of a schedule, or the rows of a job's or a schedule's last results. */
export const linkKinds = ['feed', 'table'] as const;
export type LinkKind = (typeof linkKinds)[number];

const moment = z.iso.datetime();
const kind = z
  .enum(linkKinds)
  .describe('`table`: the rows of the last results as CSV. `feed`: what changed, as Atom and JSON Feed.');

/** The body of a request for a link. */
export const newLinkRequest = z.strictObject({ kind });

/** A link that reads one job or schedule without a key, as lists show it. */
export const linkObject = z
  .strictObject({
    id: z.string().describe('ID of the link, `link_…`.'),
    kind,
    prefix: z.string().describe('How its token begins, to tell it from others; never the whole of it.'),
    created_at: moment.describe('When it was created.'),
    last_read_at: moment.nullable().describe('When it was last read, to the minute; null if it never was.'),
  })
  .meta({ id: 'shared_link' });

export type SharedLink = Readonly<z.output<typeof linkObject>>;

/** A link that was just made: the only time that its addresses are shown. */
export const newLinkObject = linkObject
  .extend({
    urls: z
      .array(z.string())
      .describe(
        'Its URLs, not shown again: of a table one that ends in `.csv`, of a feed one in `.atom` and one in `.json`.',
      ),
  })
  .meta({ id: 'new_shared_link' });
