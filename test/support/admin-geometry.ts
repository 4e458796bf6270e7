import type { Page } from 'playwright-core';

/**
 * Runs in the page: what is cut off, lies over something else or is too small to touch. Elements in an area that
 * scrolls sideways by design may be wider than the window.
 */
const script = `(() => {
  const found = new Set();
  const width = innerWidth;
  const nameOf = (node) =>
    node.nodeName.toLowerCase() + '.' + (node.getAttribute('class') ?? '').trim().split(/\\s+/).join('.') + ' "' +
    (node.getAttribute('aria-label') ?? node.textContent ?? '').trim().slice(0, 40) + '"';
  const isVisible = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(node).visibility !== 'hidden' && !node.closest('.hidden-text, .skip');
  };
  const isClipped = (node) => {
    for (let around = node.parentElement; around !== null && !around.matches('.content, .dialog'); around = around.parentElement)
      if (getComputedStyle(around).overflowX !== 'visible') return true;
    return false;
  };
  const dialogs = document.querySelectorAll('dialog[open]');
  const front = dialogs[dialogs.length - 1] ?? document.body;
  for (const area of [document.scrollingElement, ...front.querySelectorAll('.content, .side'), ...dialogs])
    if (isVisible(area) && area.scrollWidth > area.clientWidth + 1)
      found.add('scrolls sideways: ' + nameOf(area).slice(0, 60) + ' ' + area.scrollWidth + ' in ' + area.clientWidth);
  for (const node of front.querySelectorAll('*')) {
    if (node.closest('svg, iframe') !== null || node.nodeName === 'OPTION' || !isVisible(node)) continue;
    const { left, right } = node.getBoundingClientRect();
    if ((right > width + 1 || left < -1) && !isClipped(node))
      found.add('outside: ' + nameOf(node) + ' ' + Math.round(left) + ' to ' + Math.round(right));
  }
  const controls = [...front.querySelectorAll('button, a[href], input, select, textarea, summary')].filter(isVisible);
  for (const control of controls) {
    const { left, top, width: wide, height } = control.getBoundingClientRect();
    const [x, y] = [left + wide / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    if (hit === null || y > innerHeight - 1 || isClipped(control)) continue;
    const label = hit.closest('label');
    // What opens over the rest is meant to cover it.
    if (hit.closest('[role=menu], [role=listbox]') !== null) continue;
    if (!control.contains(hit) && !hit.contains(control) && !label?.contains(control))
      found.add('covered: ' + nameOf(control) + ' by ' + nameOf(hit));
  }
  for (const control of width < 760 ? controls : []) {
    // Links in the middle of a sentence are as high as it.
    if (control.matches('a') && getComputedStyle(control).display === 'inline') continue;
    // The area of the control is larger than its words.
    if (getComputedStyle(control, '::after').position === 'absolute') continue;
    const target = control.matches('[type=checkbox], [type=radio]') ? (control.closest('label') ?? control) : control;
    const least = target === control && control.matches('[type=checkbox], [type=radio]') ? 24 : 44;
    const { width: wide, height } = target.getBoundingClientRect();
    if (height < least - 0.5 || wide < Math.min(least, 32))
      found.add('too small: ' + nameOf(control) + ' ' + Math.round(wide) + ' by ' + Math.round(height));
  }
  return [...found];
})()`;

/** What is wrong with the places and sizes of what the page shows, at each of these widths. */
export async function misplacedIn(page: Page, widths: readonly number[]): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: before?.height ?? 900 });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    found.push(...(await page.evaluate<string[]>(script)).map((finding) => `${String(width)}: ${finding}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}
