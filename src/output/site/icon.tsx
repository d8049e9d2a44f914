/** SVG paths on a grid of 20 by 20. */
const drawings = {
  mark: 'M4 4h12M4 10h8M4 16h12',
  overview: 'M3 10 10 4l7 6M5 9v7h10V9',
  keys: 'M10 12.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM9 10l7-7M13 6l2.5 2.5',
  requests: 'M4 5h12M4 10h12M4 15h7',
  usage: 'M4 16V9M8.5 16V4M13 16v-5M17 16V7',
  jobs: 'M4 7l6-3 6 3-6 3zM4 10.5l6 3 6-3M4 14l6 3 6-3',
  playground: 'M4 5l5 5-5 5M11 15h5',
  packs: 'M3.5 6.5 10 3l6.5 3.5v7L10 17l-6.5-3.5zM3.5 6.5 10 10l6.5-3.5M10 10v7',
  settings: 'M3 6h6M13 6h4M3 14h2M9 14h8M11 4v4M7 12v4',
  status: 'M2 10h4l2-5 4 10 2-5h4',
  docs: 'M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4',
} as const;

export type IconName = keyof typeof drawings;

/** A decorative drawing, hidden from screen readers because the text next to it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}
