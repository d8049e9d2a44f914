/** How a test page shows a long list, and when it requests more. */
export interface ListPage {
  /** The gesture that shows more; scrolling the page by default. */
  readonly by?: 'page' | 'panel' | 'frame' | 'button' | 'wheel';
  /**
   * The button's text, and whether it is a link. Without `words` it says “See more”; without `more` there is no button.
   */
  readonly more?: { readonly words: string; readonly isLink?: boolean };
  /** A login prompt that covers the page after the first part, and how a visitor dismisses it. */
  readonly prompt?: 'corner' | 'not now' | 'escape' | 'never';
  /** Items that the page contains from the start and does not request. */
  readonly shows?: number;
  /** Milliseconds before each request. */
  readonly pauseMs?: number;
  /** Milliseconds until it retries after an empty answer. */
  readonly againMs?: number;
  /** A cookie prompt that blocks scrolling of the page. */
  readonly dialog?: boolean;
}

/** The content of the list, in the page's own JavaScript. */
export interface ListScripts {
  /** `(cursor) => Promise` of an answer's text. */
  readonly ask: string;
  /** `(text) => { rows, next }`: the number of items, and the cursor of the next part or null. */
  readonly read: string;
  /** The first cursor. */
  readonly begin?: string;
  /** Attributes of the element that scrolls instead of the page. */
  readonly part?: string;
}

const row = '<p style="height:200px">A line</p>';
const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const dialog = `<div role="dialog" id="question" style="position:fixed;inset:20px;background:#fff">Allow the use of cookies?
<button onclick="document.body.style.position = ''; document.getElementById('question').remove()">Decline optional cookies</button>
</div><script>document.body.style.position = 'fixed';</script>`;

const closers = {
  corner:
    '<button aria-label="Schließen" style="position:absolute;top:8px;right:8px;width:32px;height:32px" onclick="closePrompt()"><svg></svg></button><a href="/login">Anmelden</a>',
  'not now':
    '<button style="background:#06c">Anmelden</button> <button style="background:none" onclick="closePrompt()">Jetzt nicht</button>',
  escape: '<a href="/login">Anmelden</a>',
  never: '<a href="/login">Anmelden</a>',
};

/** A page that a prompt blocks from the second part on. */
const promptScript = (how: keyof typeof closers) => `
const closePrompt = () => { document.getElementById('prompt').remove(); document.body.style.overflow = ''; };
let isPrompted = false;
function prompt() {
  if (isPrompted) return;
  isPrompted = true;
  document.body.style.overflow = 'hidden';
  document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(
    `<div id="prompt" style="position:fixed;inset:0;background:#0008"><div role="dialog" style="position:absolute;left:30%;top:30%;width:400px;height:200px;background:#fff">Log in to see more ${closers[how]}</div></div>`,
  )});
}
if (${how === 'escape'}) addEventListener('keydown', ({ key }) => key === 'Escape' && closePrompt());
`;

/** Elements and script of such a page. */
export function listPage(scripts: ListScripts, how: ListPage = {}): string {
  const { ask, read: readScript, begin = '0', part } = scripts;
  const {
    by = 'page',
    shows = 0,
    pauseMs = 0,
    againMs,
    more: { words = 'See more', isLink = false } = {},
  } = how;
  const moreTag = isLink ? 'a' : 'button';
  const inPanel = by === 'panel' || part !== undefined;
  const style = inPanel ? 'style="height:400px;width:400px;overflow-y:auto"' : '';
  const list = `<main id="list" ${part ?? ''} ${style}>${row.repeat(shows)}</main>
<${moreTag} id="more" ${by === 'button' ? '' : 'hidden'}>${words}</${moreTag}><script>
${how.prompt === undefined ? 'const prompt = () => undefined;' : promptScript(how.prompt)}
const list = document.getElementById('list');
const pause = (ms) => ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;
const ask = ${ask}, read = ${readScript};
let next = ${shows > 0 ? JSON.stringify(String(shows)) : begin}, busy = false, moved = 0;
async function more() {
  if (busy || next === null || document.getElementById('prompt') !== null) return;
  busy = true;
  await pause(${pauseMs});
  let text = await ask(next);
  ${againMs === undefined ? '' : `if (text === '') { await pause(${againMs}); text = await ask(next); }`}
  const answer = read(text);
  for (let at = 0; at < answer.rows; at += 1) list.insertAdjacentHTML('beforeend', '${row}');
  next = answer.next;
  busy = false;
  prompt();
}
const isNear = (part, height) => part.scrollTop + height > part.scrollHeight - 100;
const by = ${JSON.stringify(by)};
if (${inPanel}) list.addEventListener('scroll', () => isNear(list, list.clientHeight) && more());
else if (by === 'button') document.getElementById('more').onclick = more;
else if (by === 'wheel') {
  document.documentElement.style.overflow = 'hidden';
  addEventListener('wheel', ({ deltaY }) => {
    moved = Math.max(0, Math.min(moved + deltaY, list.scrollHeight - innerHeight));
    list.style.transform = 'translateY(' + -moved + 'px)';
    if (moved + innerHeight > list.scrollHeight - 100) more();
  });
} else addEventListener('scroll', () => isNear(document.scrollingElement, innerHeight) && more());
${shows > 0 ? '' : 'more();'}
</script>`;
  const markup =
    by === 'frame' ? `<iframe style="width:90%;height:400px" srcdoc="${quoted(list)}"></iframe>` : list;
  return `${markup}${how.dialog === true ? dialog : ''}`;
}
