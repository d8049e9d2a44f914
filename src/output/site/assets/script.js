// Progressive enhancement: every page works without script.

const root = document.documentElement;
root.classList.add('js');

/** Opens the menu of a narrow screen with its button, and closes it with Escape. */
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

/** Adds a button to each text worth copying. */
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

const pad = (number) => String(number).padStart(2, '0');

/** `2026-11-21 10:05:12`, in the reader's time zone. */
function localText(at, hasSeconds) {
  const day = [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), ...(hasSeconds ? [at.getSeconds()] : [])];
  const zone = at.toLocaleTimeString('en', { timeZoneName: 'short' }).split(' ').at(-1);
  return `${day} ${time.map(pad).join(':')} ${zone}`;
}

/** `2 min ago`, `in 3 d`: a time of this month by its distance from now; null for others. */
function ageText(at) {
  const distance = (Date.now() - at.getTime()) / 60_000;
  const minutes = Math.floor(Math.abs(distance));
  const days = Math.floor(minutes / (24 * 60));
  if (days >= 30) return null;
  if (minutes === 0) return distance < 0 ? 'in a moment' : 'just now';
  const hours = Math.floor(minutes / 60);
  const text = days > 0 ? `${days} d` : hours > 0 ? `${hours} h` : `${minutes} min`;
  return distance < 0 ? `in ${text}` : `${text} ago`;
}

/** Replaces UTC times with local ones, in tables with their distance, and shows the exact time in the tooltip. */
function localTimes(within) {
  for (const time of within.querySelectorAll('time.moment')) {
    const at = new Date(time.dateTime);
    const written = time.textContent;
    if (Number.isNaN(at.getTime()) || !written.endsWith(' UTC')) continue;
    const exact = localText(at, /:\d\d:/.test(written));
    const age = time.closest('td') === null ? null : ageText(at);
    time.title = age === null ? written : `${exact}, ${written}`;
    time.textContent = age ?? exact;
  }
}

const chosenLanguage = 'language of samples';

/** Shows all samples in the language chosen last, on this page or another. */
function sampleLanguages(within) {
  const show = (label) => {
    for (const tab of document.querySelectorAll('.tabs input')) if (tab.value === label) tab.checked = true;
  };
  for (const tab of within.querySelectorAll('.tabs input')) {
    tab.addEventListener('change', () => {
      show(tab.value);
      try {
        localStorage.setItem(chosenLanguage, tab.value);
      } catch {
        // Without storage, the next page shows the first language.
      }
    });
  }
  try {
    show(localStorage.getItem(chosenLanguage));
  } catch {}
}

/** Disables a form once it is submitted. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (form.dataset.sent === 'true') event.preventDefault();
    form.dataset.sent = 'true';
  });
  // A page restored from the back-forward cache may be submitted again.
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
}

const pollInterval = 1000;

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

/** Submits a form when its select changes. The button next to it is for pages without script. */
function submitOnChange(within) {
  for (const row of within.querySelectorAll('[data-submit]')) {
    const button = row.querySelector(`button[name="${row.dataset.submit}"]`);
    button.hidden = true;
    row.addEventListener('change', () => button.form.requestSubmit(button));
  }
}

function enhance(within) {
  copyButtons(within);
  sampleLanguages(within);
  localTimes(within);
  printButtons(within);
  submitOnChange(within);
  for (const part of within.querySelectorAll('[data-live]')) follow(part);
}

/** Replaces the content of the page with the current one. */
async function renew() {
  const answer = await fetch(location.pathname);
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  document.querySelector('main').replaceWith(main);
  enhance(main);
  const balance = page.querySelector('.balance');
  if (balance !== null) document.querySelector('.balance')?.replaceWith(balance);
}

/** Keeps the numbers of a running job up to date, and renews the page when its structure changes. */
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
        // The server is restarting.
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
