/** The look of the documentation, in the colours of the dashboard, light or dark as the reader has it. */
export const style = `:root { color-scheme: light dark; --line: light-dark(#e1e5e0, #2a302e); background: light-dark(#f6f7f5, #101312); color: light-dark(#17211d, #e9edeb); }
body { font: .9375rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
code { background: color-mix(in srgb, currentColor 8%, transparent); padding: .1em .3em; border-radius: .25em; overflow-wrap: anywhere; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } td code { overflow-wrap: normal; } td > p, td > ul { margin: 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: 2rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); } nav .brand { color: inherit; font-weight: 680; letter-spacing: -.02em; text-decoration: none; }
nav form { margin-left: auto; display: flex; gap: .35rem; } input, button { font: inherit; color: inherit; background: transparent; border: 1px solid light-dark(#8a948f, #6d7773); border-radius: .35rem; padding: .15rem .5rem; } input { width: 10rem; } button { cursor: pointer; }
a { color: light-dark(#0e6b5c, #57c9b0); text-underline-offset: .3em; text-decoration-thickness: 1px; } :focus-visible { outline: 2px solid; outline-offset: 2px; }
a code { text-decoration: none; border-bottom: 1px solid; padding-bottom: .15em; border-radius: 0; background: none; padding-inline: 0; } a:has(code) { text-decoration: none; }
.state { display: inline-block; padding: .05em .55em; border-radius: 1em; font-size: .8125rem; font-weight: 600; white-space: nowrap; background: var(--tint); color: var(--ink); }
.ok { --ink: light-dark(#1b6e3c, #6bcf8f); --tint: light-dark(#e4f3e8, #16301f); } .degraded { --ink: light-dark(#7a5200, #e7b450); --tint: light-dark(#faf0d9, #33280f); }
.refused { --ink: light-dark(#ae2a20, #ff958a); --tint: light-dark(#fbeae8, #3a1c19); } .changed { --ink: light-dark(#7b2a8b, #e0a3ee); --tint: light-dark(#f6e8f8, #331939); }
.unknown { --ink: light-dark(#56605b, #a2aca7); --tint: light-dark(#e6eae6, #272d2b); }
.headline { font-size: 1.125rem; font-weight: 600; } .remark { font-size: .8125rem; color: light-dark(#56605b, #a2aca7); }
.endpoints { list-style: none; margin: 0; padding: 0; } .endpoint { padding: .9rem 0; border-bottom: 1px solid var(--line); } .endpoint p { margin: .35rem 0 0; }
.endpoint .head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1rem; } .endpoint h3 { margin: 0; font-size: .9375rem; }
.days { display: block; width: 100%; height: 1.5rem; margin-top: .5rem; border-radius: .25rem; } .days rect { fill: var(--ink); } .days .unknown { fill: light-dark(#dfe4df, #2a302e); }
.legend div { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin-bottom: .4rem; } .legend dt { min-width: 6rem; } .legend dd { margin: 0; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
.sample { position: relative; } .sample pre { padding-top: 2.4rem; } .sample button { position: absolute; top: .4rem; right: .4rem; font-size: .8rem; background: light-dark(#f6f7f5, #101312); }
details > summary { cursor: pointer; padding: .25rem 0; }
`;

/** Puts a button that copies beside every sample. The pages are whole without it. */
export const script = `for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div');
  frame.className = 'sample';
  block.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  frame.append(block, button);
}
`;

/** The sign in a browser's tab. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0e6b5c"/><path d="M9 9h14M9 16h9M9 23h14" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>
`;
