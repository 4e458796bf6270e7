import { requirements, type RequirementId } from '../requirements/index.js';

/** Names the requirements that the surrounding tests prove. `coverage.test.ts` reads these calls from the files. */
export function verifies(...ids: RequirementId[]): void {
  for (const id of ids) {
    if (!(id in requirements)) throw new Error(`unknown requirement ${id}`);
  }
}
