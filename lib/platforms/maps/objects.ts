import * as z from 'zod';
import { object } from '../../object.js';
import {
  count,
  flagOrNull,
  moment,
  momentOrNull,
  sizeOrNull,
  text,
  textOrNull,
  texts,
} from '../../object-fields.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

const ofAuthor = { of: ['author'], as: 'name' } as const;

const day = () => z.int().min(0).max(6).describe('Day of the week, 0 is Sunday.');

const weekMoment = object(() => ({
  day: day(),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3])[0-5]\d$/)
    .describe('Local time of the place, HHMM.'),
})).describe('A moment of the week.');

const openingHours = object(() => ({
  open_now: flagOrNull('Whether it was open when the page was read.').register(volatile, { as: 'moment' }),
  periods: z
    .array(
      z.strictObject({
        open: weekMoment.describe('When it opens.'),
        close: weekMoment
          .nullable()
          .describe('When it closes, possibly the next day; null if it never closes.'),
      }),
    )
    .describe('Opening times, starting with Sunday. A place open around the clock has one, without a close.'),
  weekday_text: texts('One line for each day as the page words it, starting with Monday.'),
})).describe('The week’s hours as the page shows them; holiday hours replace the usual ones.');

/** The fields of a search result: the eleven keys that search and detail share. */
const listing = () => ({
  place_id: text('Place ID: ChIJ….'),
  name: text('Name, in the requested language if the platform has one.'),
  categories: texts('Categories as the page words them, the main one first.'),
  formatted_address: textOrNull('Address without the name; may begin with a plus code.'),
  location: z
    .strictObject({
      lat: z.number().min(-90).max(90).describe('Degrees north.'),
      lng: z.number().min(-180).max(180).describe('Degrees east.'),
    })
    .nullable()
    .describe('Coordinates.'),
  rating: z.number().min(0).max(5).nullable().describe('Average rating, 1 to 5.'),
  user_ratings_total: count('Number of ratings; also null when the platform served a slim page.').nullable(),
  phone: textOrNull('First phone number as the page shows it.'),
  website: textOrNull('URL of the place’s own website.'),
  opening_hours: openingHours.nullable(),
  business_status: z
    .enum(['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'])
    .nullable()
    .describe('Whether it is in business; null if the page does not say.'),
});

/** A place as a search result. */
export const mapsPlace = object(listing).meta({ id: 'maps_place' });

const stars = (many: number) => count(`Ratings with ${many} ${many === 1 ? 'star' : 'stars'}.`);

/** A place with all fields of its page. */
export const mapsPlaceDetail = object(() => ({
  ...listing(),
  rating_distribution: z
    .strictObject({ '1': stars(1), '2': stars(2), '3': stars(3), '4': stars(4), '5': stars(5) })
    .nullable()
    .describe('Number of ratings by stars.')
    .register(volatile, { as: 'count' }),
  price_level: z
    .int()
    .min(0)
    .max(4)
    .nullable()
    .describe('1 (cheap) to 4 (expensive); null if the page shows a price range instead.'),
  phone_numbers: texts('Every phone number as the page shows it.'),
  popular_times: z
    .array(
      z.strictObject({
        day: day(),
        hours: z
          .array(
            z.strictObject({
              hour: z.int().min(0).max(23).describe('Hour of the day.'),
              busyness_percent: z
                .int()
                .min(0)
                .max(100)
                .describe('Percentage of the busiest hour of the week.'),
            }),
          )
          .describe('Hours for which the page has a figure.'),
      }),
    )
    .nullable()
    .describe('How busy it usually is; null for the many places without these figures.')
    .register(volatile, { as: 'moment' }),
  about: z
    .array(
      z.strictObject({
        section: z.string().describe('Title as the page words it.'),
        attributes: z
          .array(
            z.strictObject({
              name: z.string().describe('What it is, as the page words it.'),
              available: flagOrNull('Whether the place has it.'),
            }),
          )
          .describe('In the page’s order.'),
      }),
    )
    .nullable()
    .describe('The About tab.'),
  is_claimed: flagOrNull('Whether an owner has claimed the listing.'),
})).meta({ id: 'maps_place_detail' });

/** A review. */
export const mapsReview = object(() => ({
  rating: z.number().min(0).max(5).describe('1 to 5; ratings on the scale of a partner site are converted.'),
  text: textOrNull('Text of the review; null for a rating without text.'),
  language: textOrNull('Language the text was written in.'),
  publish_time: moment('When it was written.'),
  author: z
    .strictObject({
      name: text('Display name.').register(person, ofAuthor),
      profile_url: textOrNull('URL of the contributor’s page.').register(person, ofAuthor),
      photo_url: textOrNull('URL of the profile picture.')
        .register(volatile, { as: 'media' })
        .register(person, { of: ['author'], as: 'private' }),
      is_local_guide: flagOrNull('Has the local guide badge.'),
      review_count: count('Total reviews written.').nullable(),
    })
    .describe('Who wrote it.'),
  photos: z
    .array(
      z.strictObject({
        url: text('URL of the full-size picture.').register(volatile, { as: 'media' }),
        width: sizeOrNull('Pixels; null if the page does not say.'),
        height: sizeOrNull('Pixels; null if the page does not say.'),
      }),
    )
    .describe('Pictures, in order.'),
  owner_response: z
    .strictObject({
      text: text('Text of the reply.'),
      publish_time: momentOrNull('When it was written; null if the page only says how long ago.'),
    })
    .nullable()
    .describe('The owner’s reply.'),
})).meta({ id: 'maps_review' });

/** A photo of the gallery; of a video, its still picture. */
export const mapsPhoto = object(() => ({
  url: text('URL of the full-size picture, on the platform’s own servers.'),
  width: sizeOrNull('Pixels.'),
  height: sizeOrNull('Pixels.'),
  uploader: z
    .strictObject({
      name: text('Display name.').register(person, ofAuthor),
      profile_url: textOrNull('URL of the contributor’s page.').register(person, ofAuthor),
    })
    .nullable()
    .describe('Who uploaded it; null if the gallery does not say.'),
})).meta({ id: 'maps_photo' });

export type MapsPlace = z.output<typeof mapsPlace>;
export type MapsPlaceDetail = z.output<typeof mapsPlaceDetail>;
export type MapsReview = z.output<typeof mapsReview>;
export type MapsPhoto = z.output<typeof mapsPhoto>;
