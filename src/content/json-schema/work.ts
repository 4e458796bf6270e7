/**
 * Units of work for all the values of one write together, at about 10 ns each. A schema and a value that are
 * small on their own can be made to cost hours together, so what is bounded is the work itself.
 */
export const workBudget = 20_000_000;

let remaining = workBudget;

/** Thrown out of a check that costs too much. */
export class WorkExhausted extends Error {
  override readonly name = 'WorkExhausted';
}

/** Begins a write: its values have the whole amount. Checks are synchronous, so one amount serves the process. */
export function renewWork(): void {
  remaining = workBudget;
}

/** Units that the checks of this write have spent, including those of the check that exceeded the budget. */
export function spentWork(): number {
  return workBudget - remaining;
}

/** @throws WorkExhausted */
export function spendWork(units: number): void {
  remaining -= units;
  if (remaining < 0) throw new WorkExhausted();
}
