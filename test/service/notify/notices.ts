// Invented notices.
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { Notice } from '../../../src/service/notify/notice.js';
import { NoticeCollector } from '../../../src/service/notify/notice-collector.js';

export const sourceOf = (id: string): ItemSource => ({
  id,
  url: `https://places.example/r/${id}`,
  author: { id: null, handle: 'ada', name: 'Ada @everyone', url: null },
  position: 1,
  fetched_at: '2026-03-01T08:00:00.000Z',
  route: null,
});

const run = {
  id: 'whd_1',
  endpoint: 'maps/reviews',
  name: 'Bad reviews',
  job: 'job_1',
  schedule: 'sch_1',
  at: '2026-03-01T08:00:00.000Z',
  all_at: 'https://extract.example/dashboard/jobs/job_1',
  resumed: false,
};

/** So many new items, each with a text that would like to be more than text. */
export function newItems(
  count: number,
  text = '<!channel> *Cold* [soup](https://evil.example) & "rain"',
): Notice {
  const collector = new NoticeCollector({ isNews: true });
  const ids = Array.from({ length: count }, (_, index) => `r${index}`);
  collector.add({
    input: { place_id: 'p' },
    data: ids.map((id) => ({ id, rating: 1, text })),
    sources: ids.map(sourceOf),
    changed: null,
  });
  return collector.notice(run) as Notice;
}

/** A profile of which a count moved. */
export function changedProfile(): Notice {
  const collector = new NoticeCollector({ isNews: true });
  collector.add({
    input: { username: 'ada' },
    data: { username: 'ada', followers: 12_480, biography: null },
    sources: [sourceOf('ada')],
    changed: { followers: [12_000, 12_480], biography: ['Tea.', null] },
  });
  return collector.notice({ ...run, name: null, endpoint: 'shortvideo/profile' }) as Notice;
}
