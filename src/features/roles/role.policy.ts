import { AppError } from '../../../contracts/errors.js';
import type { RoleRow } from './role.repository.js';

/** System roles are the same in every project. @throws AppError 409 `role_is_system` */
export function assertCustom({ isSystem, slug }: RoleRow): void {
  if (isSystem) throw new AppError('role_is_system', { slug });
}
