import { AppError } from '../../../contracts/errors.js';
import type { RoleRow } from './role.repository.js';

/** @throws AppError 409 `role_is_system`: what every project has is the same in every project */
export function assertCustom({ isSystem, slug }: RoleRow): void {
  if (isSystem) throw new AppError('role_is_system', { slug });
}
