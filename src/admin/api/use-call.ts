import { useState } from 'react';
import { failureOf, type Failure } from './failure.js';

interface Call {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** Once at a time; a refusal stays until the next attempt. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

/** A call of a dialog, whose refusal the dialog shows. */
export function useCall(): Call {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, run };
}
