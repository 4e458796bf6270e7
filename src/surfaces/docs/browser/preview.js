/* global document, window, location, URL, URLSearchParams, TextDecoder, EventSource, CustomEvent, setTimeout, clearTimeout */
// For sites that show drafts: <script src="https://service/preview.js" data-project="demo" data-site="main" data-token="…"></script>
(() => {
  const script = document.currentScript;
  const { project, site, environment = 'main', admin, attribute = 'data-source' } = script.dataset;
  const service = new URL(script.src).origin;
  const adminOrigin = admin ?? service;
  const token = script.dataset.token ?? new URL(location.href).searchParams.get('previewToken');
  const framed = window.parent !== window;
  const HIDDEN = /\u2063([\u200B\u200C\u200D\u2060]+)\u2063/g;
  const RELOAD_MS = 150;

  /** The JSON array [entryId, locale, path] that is hidden in a text. */
  function decode(digits) {
    const values = [...digits].map((digit) => '\u200B\u200C\u200D\u2060'.indexOf(digit));
    const bytes = new Uint8Array(values.length >> 2);
    values.forEach((value, at) => (bytes[at >> 2] |= value << (6 - 2 * (at & 3))));
    return new TextDecoder().decode(bytes);
  }

  const hiddenIn = (text) => [...new Set([...text.matchAll(HIDDEN)].map(([, digits]) => decode(digits)))];

  /** The field that an element shows: by its attribute, or the only one that is hidden in its text. */
  function sourceAt(target) {
    for (let element = target; element instanceof window.Element; element = element.parentElement) {
      const named = element.getAttribute(attribute);
      const found = named === null ? hiddenIn(element.textContent) : [named];
      if (found.length > 1) return undefined;
      if (found.length === 1) {
        try {
          const [entryId, locale, path] = JSON.parse(found[0]);
          return { element, source: { entryId, locale, path } };
        } catch {
          return undefined;
        }
      }
    }
    return undefined;
  }

  const outline = document.createElement('div');
  Object.assign(outline.style, {
    position: 'fixed',
    display: 'none',
    pointerEvents: 'none',
    outline: '2px solid #2563eb',
    outlineOffset: '2px',
    zIndex: '2147483647',
  });

  function show(element) {
    if (!outline.isConnected) document.body.append(outline);
    outline.style.display = element === undefined ? 'none' : 'block';
    if (element === undefined) return;
    const { top, left, width, height } = element.getBoundingClientRect();
    Object.assign(outline.style, {
      top: `${top}px`,
      left: `${left}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  const tell = (message) => window.parent.postMessage(message, adminOrigin);

  function open({ entryId, locale, path }) {
    if (framed) return tell({ type: 'headwater:open', entryId, locale, path });
    const search = new URLSearchParams({ locale, field: path });
    return window.open(
      `${adminOrigin}/admin/${project}/${environment}/entries/${entryId}?${search}`,
      '_blank',
      'noopener',
    );
  }

  document.addEventListener('pointerover', ({ target }) => show(sourceAt(target)?.element));
  document.addEventListener('pointerleave', () => show(undefined));
  window.addEventListener('resize', () => show(undefined));
  window.addEventListener('scroll', () => show(undefined), { capture: true, passive: true });
  document.addEventListener(
    'click',
    (event) => {
      // Outside of the admin app, and on what does something itself, a click keeps its meaning.
      const isOwn = !framed || event.target.closest('a, button, input, select, textarea, summary') !== null;
      const found = isOwn && !event.altKey ? undefined : sourceAt(event.target);
      if (found === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      open(found.source);
    },
    true,
  );

  /** The smallest element of a field, or of a block or list around it. */
  function elementOf({ entryId, path }) {
    let best;
    for (const element of document.body.querySelectorAll('*')) {
      const { source } = sourceAt(element) ?? {};
      if (source?.entryId !== entryId) continue;
      if (source.path !== path && !['[', '.'].some((next) => source.path.startsWith(path + next))) continue;
      if (best === undefined || best.contains(element)) best = element;
      if (source.path === path && !element.children.length) break;
    }
    return best;
  }

  let waiting;
  function changed(change, pause = RELOAD_MS) {
    const event = new CustomEvent('headwater:changed', { cancelable: true, detail: change });
    if (!window.dispatchEvent(event)) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => location.reload(), pause);
  }

  window.addEventListener('message', ({ origin, source, data }) => {
    if (!framed || origin !== adminOrigin || source !== window.parent) return;
    if (data?.type === 'headwater:changed') changed(data.change ?? null, 0);
    if (data?.type !== 'headwater:scroll') return;
    const element = elementOf(data);
    if (element === undefined) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' });
    setTimeout(() => show(element), isStill ? 0 : 400);
  });

  if (project && site) {
    const address = new URL(`${service}/api/delivery/projects/${project}/sites/${site}/preview/stream`);
    if (token) address.searchParams.set('previewToken', token);
    const stream = new EventSource(address);
    let isMissing = false;
    stream.addEventListener('error', () => (isMissing = true));
    // What happened without a connection is not repeated.
    stream.addEventListener('open', () => {
      if (isMissing) changed({ entryId: null, locale: null, version: null });
      isMissing = false;
    });
    stream.addEventListener('changed', ({ data }) => changed(JSON.parse(data)));
  }
  if (framed) tell({ type: 'headwater:ready', url: location.href });
})();
