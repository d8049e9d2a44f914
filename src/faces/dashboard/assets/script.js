// What the pages gain where script runs; everything works without it.

const root = document.documentElement;
root.classList.add('js');

/** The menu of a narrow screen: shown by its button, hidden again by Escape. */
function menu() {
  const button = document.querySelector('.menu-button');
  const panel = document.getElementById('menu');
  if (button === null || panel === null) return;
  const set = (open) => {
    panel.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => set(!panel.classList.contains('open')));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !panel.classList.contains('open')) return;
    set(false);
    button.focus();
  });
}

/** A button beside each text that is there to be copied. */
function copyButtons(within) {
  if (navigator.clipboard === undefined) return;
  for (const figure of within.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const label = figure.querySelector('figcaption');
    button.setAttribute('aria-label', `Copy: ${label === null ? 'text' : label.textContent}`);
    button.addEventListener('click', async () => {
      const text = figure.querySelector('code').textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    figure.append(button);
  }
}

/** Times are in UTC; the reader's own stands in the tip. */
function localTimes(within) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  for (const time of within.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.title = `${form.format(at)}, your time`;
  }
}

/** A form is sent once, however often its button is pressed. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (form.dataset.sent === 'true') event.preventDefault();
    form.dataset.sent = 'true';
  });
  // A page that comes back from the browser's memory may be sent again.
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
}

const pollInterval = 1000;

/** A button that prints, where a page is made for it. */
function printButtons(within) {
  for (const place of within.querySelectorAll('[data-print]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = 'Print';
    button.addEventListener('click', () => window.print());
    place.replaceWith(button);
  }
}

/** What a page gains again when its content was renewed. */
function enhance(within) {
  copyButtons(within);
  localTimes(within);
  printButtons(within);
  for (const part of within.querySelectorAll('[data-live]')) follow(part);
}

/** Puts the present content of the page in place of what it shows. */
async function renew() {
  const answer = await fetch(location.pathname);
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  document.querySelector('main').replaceWith(main);
  enhance(main);
}

/** Keeps the numbers of something that is under way up to date, and renews the page when it looks different. */
function follow(part) {
  const look = async () => {
    if (!part.isConnected) return;
    if (!document.hidden) {
      try {
        const answer = await fetch(part.dataset.live);
        if (!answer.ok || answer.redirected) return;
        const { mark, is_over: isOver, value, parts } = await answer.json();
        if (mark !== part.dataset.mark) {
          await renew();
          return;
        }
        for (const [name, text] of Object.entries(parts)) {
          for (const shown of part.querySelectorAll(`[data-part="${name}"]`)) shown.textContent = text;
        }
        const bar = part.querySelector('progress');
        if (bar !== null) bar.value = value;
        if (isOver) return;
      } catch {
        // The server is away for a moment.
      }
    }
    setTimeout(look, pollInterval);
  };
  setTimeout(look, pollInterval);
}

document.addEventListener('DOMContentLoaded', () => {
  menu();
  sendOnce();
  enhance(document);
});
