import { invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { checkPattern } from '../../content/model/pattern.js';

/**
 * @throws AppError 422 `validation_failed` for a pattern that the linear-time engine cannot run
 */
export function assertPattern(slugPattern: string | null | undefined): void {
  if (slugPattern === undefined || slugPattern === null) return;
  const [problem] = checkPattern(slugPattern, '', limits.slugLength);
  if (problem !== undefined) throw invalidInput({ ...problem, path: ['slugPattern'] });
}
