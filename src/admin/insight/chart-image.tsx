import { useSyncExternalStore } from 'react';
import { maybeText } from '../texts/index.js';
import { theme } from '../ui/theme.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

const subscribe = (listener: () => void): (() => void) => {
  dark.addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    dark.removeEventListener('change', listener);
    observer.disconnect();
  };
};

/** The theme that is shown: an image does not know the choice of the user. */
export const useShownTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => {
    const chosen = theme();
    if (chosen !== 'system') return chosen;
    return dark.matches ? 'dark' : 'light';
  });

const camelCase = (words: string): string =>
  words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** Pixels that a character of a legend takes at most, and that are between two names. */
const CHARACTER = 8;
const BETWEEN = 40;
const MARGIN = 20;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const wordOf = (name: string): string =>
  maybeText(`figure.${camelCase(name)}`) ?? maybeText(`status.${name}`) ?? name;

/** The service names series and issues in English: the words of the user take their place. */
function inWords(svg: string, title: string): string {
  let x = MARGIN;
  return svg
    .replace(/(<text [^>]*font-weight="600">)[^<]*/, (_, start: string) => start + escapeXml(title))
    .replace(
      /<g transform="translate\((\d+),(\d+)\)">(<rect [^>]*rx="2"[^>]*\/><text [^>]*>)([^<]*)/g,
      (...[, from = '', line = '', start = '', name = '']: string[]) => {
        const word = wordOf(name);
        const place = line === '0' ? String(x) : from;
        x += BETWEEN + word.length * CHARACTER;
        return `<g transform="translate(${place},${line})">${start}${word}`;
      },
    )
    .replace(/>([a-z][a-z ]+)<\/text>/g, (text, issue: string) => {
      const word = maybeText(`health.${issue.replaceAll(' ', '_')}`);
      return word === undefined ? text : `>${word}</text>`;
    });
}

/** A drawn chart. As an image it runs no script and requests nothing. */
export const ChartImage = ({ svg, label }: { readonly svg: string; readonly label: string }) => (
  <div aria-label={label} className="chart-scroll" role="region" tabIndex={0}>
    <img
      alt=""
      className="chart"
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(inWords(svg, label))}`}
    />
  </div>
);
