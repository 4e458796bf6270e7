import { loadModule } from '../ui/lazy-part.js';
import type { LiveListener } from './live-events.js';

/** Hears what the service sends to the user, from the moment that the page is shown. @returns what ends it */
export function listenLive(listener: LiveListener): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  void loadModule(() => import('./live-events.js'), Infinity).then(({ listen }) => {
    if (!isOver) stop = listen(listener);
  });
  return () => {
    isOver = true;
    stop?.();
  };
}
