import * as z from 'zod';
import { object } from '../../object.js';

const text = (description: string) => z.string().min(1).describe(description);
const count = (description: string) => z.int().min(0).describe(description);
const day = () => z.int().min(0).max(6).describe('Day of the week, 0 is Sunday.');

const moment = object(() => ({
  day: day(),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3])[0-5]\d$/)
    .describe('Local time of the place, HHMM.'),
})).describe('A moment of the week.');

const openingHours = object(() => ({
  open_now: z.boolean().nullable().describe('Whether it was open when the page was read.'),
  periods: z
    .array(
      z.strictObject({
        open: moment.describe('When it opens.'),
        close: moment.nullable().describe('When it closes, maybe on the next day; null: never.'),
      }),
    )
    .describe('Times it is open, from Sunday on. A place open around the clock has one, without a close.'),
  weekday_text: z.array(z.string()).describe('One line a day as the page words it, from Monday on.'),
})).describe('The week’s hours as the page showed them, a holiday’s in place of the usual ones.');

/** What a search result carries: the eleven keys that search and detail share. */
const listing = () => ({
  place_id: text('Identifier of the place: ChIJ….'),
  name: text('Name, in the language asked for where the platform has one.'),
  categories: z.array(z.string()).describe('Categories as the page words them, the main one first.'),
  formatted_address: z.string().nullable().describe('Address without the name; may begin with a plus code.'),
  location: z
    .strictObject({
      lat: z.number().min(-90).max(90).describe('Degrees north.'),
      lng: z.number().min(-180).max(180).describe('Degrees east.'),
    })
    .nullable()
    .describe('Where it is.'),
  rating: z.number().min(0).max(5).nullable().describe('Average rating, 1 to 5.'),
  user_ratings_total: count('Ratings; null also when the platform served a slim page.').nullable(),
  phone: z.string().nullable().describe('First phone number as the page shows it.'),
  website: z.string().nullable().describe('Address of the place’s own site.'),
  opening_hours: openingHours.nullable(),
  business_status: z
    .enum(['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'])
    .nullable()
    .describe('Whether it is in business; null where the page gives no sign.'),
});

/** A place as a search result. */
export const mapsPlace = object(listing).meta({ id: 'maps_place' });

const stars = (many: number) => count(`Ratings of ${many}.`);

/** A place with all fields of its page. */
export const mapsPlaceDetail = object(() => ({
  ...listing(),
  rating_distribution: z
    .strictObject({ '1': stars(1), '2': stars(2), '3': stars(3), '4': stars(4), '5': stars(5) })
    .nullable()
    .describe('How many ratings of each kind.'),
  price_level: z
    .int()
    .min(0)
    .max(4)
    .nullable()
    .describe('1 (cheap) to 4; null where the page shows a price range in its place.'),
  phone_numbers: z.array(z.string()).describe('Every phone number as the page shows it.'),
  popular_times: z
    .array(
      z.strictObject({
        day: day(),
        hours: z
          .array(
            z.strictObject({
              hour: z.int().min(0).max(23).describe('Hour of the day.'),
              busyness_percent: z.int().min(0).max(100).describe('Of the busiest hour of the week.'),
            }),
          )
          .describe('Hours with a figure.'),
      }),
    )
    .nullable()
    .describe('How busy it usually is; null for the many places without figures.'),
  about: z
    .array(
      z.strictObject({
        section: z.string().describe('Title as the page words it.'),
        attributes: z
          .array(
            z.strictObject({
              name: z.string().describe('What it is, as the page words it.'),
              available: z.boolean().nullable().describe('Whether the place has it.'),
            }),
          )
          .describe('In the order of the page.'),
      }),
    )
    .nullable()
    .describe('The About tab.'),
  is_claimed: z.boolean().nullable().describe('Whether an owner has claimed the listing.'),
})).meta({ id: 'maps_place_detail' });

const url = (description: string) => z.string().min(1).describe(description);
const pixels = (description: string) => z.int().min(1).nullable().describe(description);

/** A review. */
export const mapsReview = object(() => ({
  rating: z
    .number()
    .min(0)
    .max(5)
    .describe('1 to 5; a partner site’s own scale is brought to it in proportion.'),
  text: z.string().nullable().describe('What was written; null for a rating alone.'),
  language: z.string().nullable().describe('Language the text was written in.'),
  publish_time: z.iso.datetime().describe('When it was written.'),
  author: z
    .strictObject({
      name: text('Name shown.'),
      profile_url: z.string().nullable().describe('Address of the contributor’s page.'),
      photo_url: z.string().nullable().describe('Address of the picture.'),
      is_local_guide: z.boolean().nullable().describe('Carries the local-contributor badge.'),
      review_count: count('Reviews written in all.').nullable(),
    })
    .describe('Who wrote it.'),
  photos: z
    .array(
      z.strictObject({
        url: url('Address of the picture in full size.'),
        width: pixels('Pixels; null where the page does not give them.'),
        height: pixels('Pixels; null where the page does not give them.'),
      }),
    )
    .describe('Pictures, in order.'),
  owner_response: z
    .strictObject({
      text: text('What the owner answered.'),
      publish_time: z.iso.datetime().nullable().describe('When; null where the page only says how long ago.'),
    })
    .nullable()
    .describe('The owner’s answer.'),
})).meta({ id: 'maps_review' });

/** A photo of the gallery; of a video, its still picture. */
export const mapsPhoto = object(() => ({
  url: url('Address of the picture in full size, on the platform’s own servers.'),
  width: pixels('Pixels.'),
  height: pixels('Pixels.'),
  uploader: z
    .strictObject({
      name: text('Name shown.'),
      profile_url: z.string().nullable().describe('Address of the contributor’s page.'),
    })
    .nullable()
    .describe('Who took it; null where the gallery does not show it to logged-out visitors.'),
})).meta({ id: 'maps_photo' });

export type MapsPlace = z.output<typeof mapsPlace>;
export type MapsPlaceDetail = z.output<typeof mapsPlaceDetail>;
export type MapsReview = z.output<typeof mapsReview>;
export type MapsPhoto = z.output<typeof mapsPhoto>;
