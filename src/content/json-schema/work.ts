/** Budget for all values of one write, in units of at most 10 ns. A small schema and a small value can take hours. */
export const workBudget = 3_000_000;

let remaining = workBudget;

export class WorkExhausted extends Error {
  override readonly name = 'WorkExhausted';
}

/** Resets the budget for a write. Checks are synchronous, so the process needs only one. */
export function renewWork(): void {
  remaining = workBudget;
}

/** Includes the check that exceeded the budget. */
export function spentWork(): number {
  return workBudget - remaining;
}

/** @throws WorkExhausted */
export function spendWork(units: number): void {
  remaining -= units;
  if (remaining < 0) throw new WorkExhausted();
}
