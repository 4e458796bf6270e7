/** Only the process and tests choose a clock; use cases read `work.now`. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
