/** Where the service takes the time from. Only `composition.ts` and tests choose one; use cases read `work.now`. */
export type Clock = () => Date;

/** The time of this machine. */
export const systemClock: Clock = () => new Date();
