import { useState } from 'react';
import { notifyFailure } from './toasts.js';

interface Props {
  readonly label: string;
  /** Shown during the call; the label when absent. */
  readonly busyLabel?: string;
  readonly isPrimary?: boolean;
  readonly run: () => Promise<void>;
}

/** A button whose call runs once at a time; a refusal is shown as a notice. */
export function ActionButton({ label, busyLabel = label, isPrimary = false, run }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const act = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await run();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <button
      className={isPrimary ? 'button primary' : 'button'}
      disabled={isBusy}
      onClick={() => void act()}
      type="button"
    >
      {isBusy ? busyLabel : label}
    </button>
  );
}
