import { requirements, type RequirementId } from '../requirements/index.js';

/**
 * Says which requirements the tests around it prove. `coverage.test.ts` reads these calls from the
 * files; the type keeps the ids true.
 */
export function verifies(...ids: RequirementId[]): void {
  for (const id of ids) {
    if (!(id in requirements)) throw new Error(`unknown requirement ${id}`);
  }
}
