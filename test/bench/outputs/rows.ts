import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** What a program of this bench is told, as its one argument. */
export interface WantedFile {
  readonly kind: 'csv' | 'xlsx' | 'sqlite' | 'parquet';
  readonly input: string;
  readonly output: string;
}

export const wantedFile = (): WantedFile => JSON.parse(process.argv[2] ?? '') as WantedFile;

/** The columns that a program by hand knows of the rows. */
export const columns = [
  'username',
  'display_name',
  'bio_description',
  'bio_url',
  'avatar_url',
  'profile_url',
  'is_verified',
  'follower_count',
  'following_count',
  'likes_count',
  'video_count',
] as const;

export type Row = Readonly<Record<(typeof columns)[number], string | number | boolean | null>>;

/** Writes so many lines of a batch, each about an account of its own. */
export async function writeLines(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  for (let at = 0; at < count; at += 1) {
    const username = `name${at}`;
    const data: Row = {
      username,
      display_name: `Name ${at} of somebody`,
      bio_description: `A text of about a hundred characters, as people write it about themselves: number ${at}.`,
      bio_url: at % 3 === 0 ? null : `https://example.com/${at}`,
      avatar_url: `https://media.example.com/pictures/${at}/large.jpeg?x-expires=1234567890&x-signature=abcdef${at}`,
      profile_url: `https://example.com/@${username}`,
      is_verified: at % 7 === 0,
      follower_count: (at * 7919) % 1_000_003,
      following_count: at % 1000,
      likes_count: (at * 104_729) % 100_000_007,
      video_count: at % 500,
    };
    if (!out.write(`${JSON.stringify({ input: { username }, data })}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
