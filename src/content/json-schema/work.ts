/**
 * Budget for all the values of one write, in units of about 10 ns. A small schema and a small value can together take
 * hours, so the work itself is bounded.
 */
export const workBudget = 20_000_000;

let remaining = workBudget;

/** Thrown when a check exceeds its budget. */
export class WorkExhausted extends Error {
  override readonly name = 'WorkExhausted';
}

/** Resets the budget for a write. Checks are synchronous, so the process needs only one. */
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
