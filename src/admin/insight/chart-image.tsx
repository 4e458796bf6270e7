import { useSyncExternalStore } from 'react';
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

/** A drawn chart. As an image it runs no script and requests nothing. */
export const ChartImage = ({ svg, label }: { readonly svg: string; readonly label: string }) => (
  <div aria-label={label} className="chart-scroll" role="region" tabIndex={0}>
    <img alt="" className="chart" src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} />
  </div>
);
