import { argv } from '../argv.js';
import { account, commentedPost, ownPost, tag } from './photosocial.js';
import type { WorldName } from './place.js';
import { company, jobQuery } from './pronetwork.js';
import { profileAccount, singleVideo } from './shortvideo.js';

/** The outcome of a call: its refusal, or the fields that all items lack, and its cost. */
interface Outcome {
  readonly refused?: string;
  readonly nulls?: readonly string[];
  readonly requests: number;
  readonly seconds: number;
}

const answered = (requests: number, seconds = 0, ...nulls: readonly string[]): Outcome => ({
  ...{ requests, seconds, nulls },
});
const refused = (code: string, requests: number, seconds = 0): Outcome => ({
  ...{ refused: `platform_${code}`, requests, seconds },
});

/** The first call of a new user, with its outcome in each world. */
type FirstCall = { readonly path: string; readonly args: readonly string[] } & Readonly<
  Record<WorldName, Outcome>
>;

const call = (path: string, args: readonly string[], home: Outcome, datacentre = home): FirstCall => ({
  ...{ path, args, home, datacentre },
});

const once = answered(1);
const blocked = refused('blocked', 1);
const place = argv`--place-id ChIJtjc9rEc1bkcRzq9EdYiTlqE`;
const quickProfile = ['biography', 'bio_links', 'follows_count', 'is_verified', 'is_business_account'];

/** A call of every endpoint; two of the search, with one word and with several. */
export const firstCalls: readonly FirstCall[] = [
  call('maps/places', ['bakery in Graz'], once),
  call('maps/place', argv`${place} --language de`, once, answered(2, 1)),
  call('maps/reviews', place, once),
  call('maps/photos', place, once),
  call('pronetwork/profile', argv`--vanity-name ilse-brandvik`, once, blocked),
  call('pronetwork/company', argv`--vanity-name ${company}`, once, blocked),
  call(
    'pronetwork/posts',
    argv`--profile-url https://se.linkedin.com/in/%C3%A5sa_bj%C3%B6rkn%C3%A4s`,
    answered(7, 16, 'document', 'repost_count'),
    blocked,
  ),
  call('pronetwork/jobs', argv`--query ${jobQuery}`, answered(30, 81)),
  call(
    'photosocial/profile',
    argv`--username ${account}`,
    answered(2, 0, 'contact_buttons'),
    answered(5, 6, ...quickProfile, 'category', 'contact_buttons'),
  ),
  call('photosocial/posts', argv`--username ${account}`, answered(3), answered(5, 6, 'view_count')),
  call(
    'photosocial/post',
    argv`--shortcode ${ownPost}`,
    answered(2, 0, 'view_count', 'is_paid_partnership'),
    answered(5, 6, 'timestamp', 'is_paid_partnership'),
  ),
  call(
    'photosocial/comments',
    argv`--shortcode ${commentedPost(0)}`,
    answered(2, 0, 'reply_count', 'parent_id'),
    refused('login_required', 5, 9),
  ),
  call(
    'photosocial/hashtag',
    argv`--tag ${tag}`,
    answered(3, 3, 'is_paid_partnership'),
    refused('login_required', 3, 6),
  ),
  call('shortvideo/profile', argv`--username ${profileAccount(1)}`, answered(3, 3, 'bio_url'), once),
  call(
    'shortvideo/videos',
    argv`--username mira.kettle`,
    answered(8, 18, 'favorites_count'),
    answered(13, 18),
  ),
  call('shortvideo/video', argv`--id ${singleVideo}`, answered(2, 0, 'favorites_count'), once),
  call('shortvideo/comments', argv`--id 7571000000000000201`, once),
  call('shortvideo/search', argv`--query #Harbour`, answered(7, 15, 'favorites_count'), answered(11, 15)),
  call('shortvideo/search', ['--query', 'Harbour at night'], once),
];
