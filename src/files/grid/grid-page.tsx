import { renderStandalonePage } from '../../output/html.js';
import { GridMap } from './grid-map.js';
import type { GridReport, PlaceRanking } from './ranks.js';

/** What the page says besides the ranks. */
export interface GridTitle {
  readonly query: string;
  readonly spacing: number;
  readonly size: number;
  readonly radius: number;
  readonly language: string | null;
  readonly country: string | null;
  readonly isSample: boolean;
}

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d6dbe1;--back:#fff;--land:#f3f5f7;
--top:#1a7f37;--good:#7a9a01;--mid:#c77700;--low:#b3261e;--none:#6e7781}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebee;--soft:#9aa5b1;--line:#39424c;--back:#14181c;--land:#1d2329}}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.4rem;margin:0 0 .25rem;line-height:1.25}h2{font-size:1.1rem;margin:2rem 0 .5rem}
p{margin:.25rem 0;color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1.25rem 0}dt{color:var(--soft);font-size:.85rem}
dd{margin:0;font-size:1.6rem;font-variant-numeric:tabular-nums}
svg{display:block;width:100%;height:auto;background:var(--land);border:1px solid var(--line);border-radius:8px}
svg text{font:600 15px system-ui,sans-serif;fill:#fff;text-anchor:middle}
svg .small{font:12px system-ui,sans-serif;fill:var(--soft);text-anchor:start}
svg line{stroke:var(--line)}.top{fill:var(--top)}.good{fill:var(--good)}.mid{fill:var(--mid)}.low{fill:var(--low)}
.none{fill:var(--none)}.failed{fill:none;stroke:var(--none);stroke-width:2;stroke-dasharray:4 3}
svg .failed+text{fill:var(--soft)}
.other{fill:var(--soft);opacity:.6}.self{fill:none;stroke:var(--ink);stroke-width:3}
ul.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.5rem 0;list-style:none;color:var(--soft);font-size:.9rem}
.key svg{display:inline-block;width:.9rem;height:.9rem;border:0;background:none;vertical-align:-.1rem;margin-right:.35rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr.own td{font-weight:600}
.sample{color:var(--ink);border-left:4px solid var(--mid);padding-left:.75rem}`;

const percent = (share: number | null) => (share === null ? 'unknown' : `${Math.round(share * 100)}%`);
const decimal = (value: number | null) => (value === null ? '–' : value.toFixed(1));

const maxCompetitors = 20;

function Row({ ranking, isSubject, all }: { ranking: PlaceRanking; isSubject: boolean; all: number }) {
  const { name, rating, user_ratings_total: ratings, points, top3_share, average_rank } = ranking;
  return (
    <tr className={isSubject ? 'own' : undefined}>
      <td>{name}</td>
      <td className="n">{percent(top3_share)}</td>
      <td className="n">{decimal(average_rank)}</td>
      <td className="n">
        {points} of {all}
      </td>
      <td className="n">
        {rating === null ? '–' : `${rating.toFixed(1)}${ratings === null ? '' : ` (${ratings})`}`}
      </td>
    </tr>
  );
}

const keys = [
  ['top', '1 to 3'],
  ['good', '4 to 10'],
  ['mid', '11 to 20'],
  ['none', 'not among them'],
] as const;

/** Returns a grid as a page with a map, without external resources. */
export function gridPage(report: GridReport, title: GridTitle): string {
  const { place, competitors, answered, points, from, to } = report;
  const failed = points.length - answered;
  const { query, size, spacing, radius, language, country, isSample } = title;
  return renderStandalonePage({
    title: `${place.name}: ranks for “${query}”`,
    style,
    children: (
      <>
        <h1>
          {place.name}: ranks for “{query}”
        </h1>
        <p>
          {size} × {size} points, {spacing} m apart. {from === null ? '' : `Read ${from} to ${to}.`}
        </p>
        {isSample ? <p className="sample">Sample data: every place and rank is invented.</p> : null}
        <dl>
          <div>
            <dt>In the top three</dt>
            <dd>{percent(place.top3_share)}</dd>
          </div>
          <div>
            <dt>Average rank where listed</dt>
            <dd>{decimal(place.average_rank)}</dd>
          </div>
          <div>
            <dt>Listed at</dt>
            <dd>
              {place.points} of {answered}
            </dd>
          </div>
        </dl>
        <GridMap report={report} />
        <ul className="key">
          {keys.map(([name, meaning]) => (
            <li key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <circle className={name} cx="5" cy="5" r="5" />
              </svg>
              {meaning}
            </li>
          ))}
          <li>ring: the place</li>
          <li>small dots: the others below</li>
          {failed === 0 ? null : <li>dashed: {failed} not answered</li>}
        </ul>
        <h2>Who is listed</h2>
        <div className="wide">
          <table>
            <thead>
              <tr>
                <th>Place</th>
                <th className="n">First three</th>
                <th className="n">Average rank</th>
                <th className="n">Listed at</th>
                <th className="n">Rating</th>
              </tr>
            </thead>
            <tbody>
              <Row ranking={place} isSubject all={answered} />
              {competitors.slice(0, maxCompetitors).map((one) => (
                <Row key={one.place_id} ranking={one} isSubject={false} all={answered} />
              ))}
            </tbody>
          </table>
        </div>
        <h2>How to read it</h2>
        <p>
          Each point is one search from there, as a logged-out visitor: the first 20 places within {radius} m
          {language === null ? '' : `, language ${language}`}
          {country === null ? '' : `, country ${country}`}. People who are logged in, or elsewhere, may see
          another order.
        </p>
      </>
    ),
  });
}
