import { useSyncExternalStore } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { IconButton } from './icon-button.js';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

/** A success disappears by itself; a failure stays until it is dismissed. */
const SHOWN_MILLISECONDS = 6000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function show(text: string, isBad: boolean): void {
  const id = (lastId += 1);
  change([...toasts.filter((toast) => toast.text !== text), { id, text, isBad }]);
  if (!isBad) setTimeout(dismiss, SHOWN_MILLISECONDS, id);
}

export const notify = (text: string): void => {
  show(text, false);
};

export const notifyFailure = (error: unknown): void => {
  show(failureOf(error).message, true);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div aria-live="polite" className="toasts" role="status">
      {shown.map(({ id, text, isBad }) => (
        <div className={isBad ? 'toast bad' : 'toast'} key={id}>
          <span className="grow">{text}</span>
          <IconButton icon="close" label={t('app.dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
