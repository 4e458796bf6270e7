import { invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CommentRepository } from './comment.repository.js';

const mention = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi;

/**
 * Ids of the users that a text mentions as `@[userId]`, each once.
 * @throws AppError 422 for one who is not an active member of the project, and for too many
 */
export async function mentionsIn(work: UnitOfWork, text: string): Promise<string[]> {
  const ids = [...new Set([...text.matchAll(mention)].map(([, id = '']) => id.toLowerCase()))];
  const refuse = (code: string, message: string) => invalidInput({ path: ['text'], code, message });
  if (ids.length > limits.mentionsPerComment)
    throw refuse('too_many', `A comment mentions at most ${limits.mentionsPerComment} users.`);
  const members = await work.use(CommentRepository).membersAmong(ids);
  const unknown = ids.find((id) => !members.has(id));
  if (unknown !== undefined)
    throw refuse('unknown_user', `The user ${unknown} is not a member of the project. Remove the mention.`);
  return ids;
}
