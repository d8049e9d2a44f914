import { renderToStaticMarkup } from 'react-dom/server';
import type { Series } from '../../../lines/memory/history.js';
import { renderStandalonePage } from '../../../output/html.js';
import { integerText } from '../../../output/number-text.js';
import { growthTexts, measuresOf } from '../growth.js';
import { LineChart } from './line-chart.js';
import { lineColors, maxLines } from './line-geometry.js';

export interface Plot {
  readonly title: string;
  readonly series: readonly (Series & { readonly name: string })[];
}

const chartStyle = `
svg text.axis{font:13px system-ui,sans-serif;fill:#5b6570}svg line.grid{stroke:#d6dbe1}
@media(prefers-color-scheme:dark){svg text.axis{fill:#9aa5b1}svg line.grid{stroke:#39424c}}`;

const pageStyle = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d6dbe1;--back:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebee;--soft:#9aa5b1;--line:#39424c;--back:#14181c}}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:64rem;margin:0 auto;padding:1.5rem}h1{font-size:1.4rem;margin:0 0 .25rem}
p{margin:.25rem 0 1rem;color:var(--soft)}svg{display:block;width:100%;height:auto}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin-top:1rem}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.key{display:inline-block;width:.8rem;height:.8rem;border-radius:50%;margin-right:.5rem}`;

/** Returns the names of the lines, with their fields if these differ. */
function namesOf(series: Plot['series']): readonly string[] {
  const isOne = new Set(series.map(({ field }) => field)).size < 2;
  return series.map(({ name, field }) => (isOne ? name : `${name} ${field}`));
}

const leftOut = (count: number) =>
  count <= maxLines ? '' : `The first ${maxLines} of ${integerText(count)} lines are drawn.`;

/** Returns the chart as an SVG file. */
export function plotSvg({ title, series }: Plot): string {
  const drawing = renderToStaticMarkup(<LineChart series={series} title={title} names={namesOf(series)} />);
  return `<?xml version="1.0" encoding="utf-8"?>\n${drawing.replace('</title>', `</title><style>${chartStyle}</style>`)}\n`;
}

/** Returns the chart and its numbers as a page without external resources. */
export function plotPage({ title, series }: Plot): string {
  return renderStandalonePage({
    title,
    style: `${pageStyle}${chartStyle}`,
    children: (
      <>
        <h1>{title}</h1>
        <p>{leftOut(series.length)}</p>
        <LineChart series={series} title={title} />
        <div className="wide">
          <table>
            <thead>
              <tr>
                <th>Of</th>
                <th className="n">Now</th>
                <th className="n">In a day</th>
                <th className="n">In a week</th>
              </tr>
            </thead>
            <tbody>
              {series.map((one, index) => {
                const { now, day, week } = growthTexts(measuresOf(one));
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
                  <tr key={index}>
                    <td>
                      {index < maxLines ? (
                        <span className="key" style={{ background: lineColors[index] }} />
                      ) : null}
                      {namesOf(series)[index]}
                    </td>
                    <td className="n">{now ?? '–'}</td>
                    <td className="n">{day ?? '–'}</td>
                    <td className="n">{week ?? '–'}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </>
    ),
  });
}
