import { useRef, useState, useSyncExternalStore } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { IconButton } from './icon-button.js';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Takes back what is reported, as long as the notice is shown. */
  readonly undo?: (() => unknown) | undefined;
}

/** Every notice disappears by itself. What must stay belongs to its place in the page instead. */
const SHOWN_MILLISECONDS = 6000;
const UNDO_MILLISECONDS = 10_000;
const FAILURE_MILLISECONDS = 12_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function hold(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function dismiss(id: number): void {
  hold(id);
  change(toasts.filter((toast) => toast.id !== id));
}

function start({ id, isBad, undo }: Toast): void {
  hold(id);
  const shown = undo !== undefined ? UNDO_MILLISECONDS : isBad ? FAILURE_MILLISECONDS : SHOWN_MILLISECONDS;
  timers.set(id, setTimeout(dismiss, shown, id));
}

function show(toast: Omit<Toast, 'id'>): void {
  const added = { ...toast, id: (lastId += 1) };
  // Only the last step is taken back: an earlier one may not apply any more.
  const isReplaced = ({ text, undo }: Toast): boolean =>
    text === toast.text || (undo !== undefined && toast.undo !== undefined);
  for (const old of toasts) if (isReplaced(old)) hold(old.id);
  change([...toasts.filter((old) => !isReplaced(old)), added]);
  start(added);
}

/** @param undo offered for ten seconds; a failure of it is reported */
export const notify = (text: string, undo?: () => unknown): void => {
  show({ text, isBad: false, undo });
};

export const notifyFailure = (error: unknown): void => {
  show({ text: failureOf(error).message, isBad: true });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** While it is pointed at or has the focus, it stays. */
function Notice({ toast }: { readonly toast: Toast }) {
  const { id, text, isBad, undo } = toast;
  const ref = useRef<HTMLDivElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const takeBack = async (): Promise<void> => {
    setIsBusy(true);
    hold(id);
    try {
      await undo?.();
    } catch (error) {
      notifyFailure(error);
    } finally {
      dismiss(id);
    }
  };
  return (
    <div
      className={isBad ? 'toast bad' : 'toast'}
      onBlur={() => start(toast)}
      onFocus={() => hold(id)}
      onPointerEnter={() => hold(id)}
      onPointerLeave={() => {
        if (ref.current?.contains(document.activeElement) !== true) start(toast);
      }}
      ref={ref}
    >
      <span className="grow">{text}</span>
      {undo !== undefined && (
        <button className="button" disabled={isBusy} onClick={() => void takeBack()} type="button">
          {t('app.undo')}
        </button>
      )}
      <IconButton icon="close" label={t('app.dismiss')} onClick={() => dismiss(id)} />
    </div>
  );
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div aria-live="polite" className="toasts" role="status">
      {shown.map((toast) => (
        <Notice key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
