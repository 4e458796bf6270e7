import { requirements, type RequirementId } from '../requirements/index.js';

/** Cites the requirements that the surrounding tests prove. `coverage.test.ts` reads these calls. */
export function verifies(...ids: RequirementId[]): void {
  for (const id of ids) {
    if (!(id in requirements)) throw new Error(`unknown requirement ${id}`);
  }
}
