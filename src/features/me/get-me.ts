import type { Me } from '../../../contracts/resources/caller.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MeRepository } from './me.repository.js';

export async function getMe(work: UnitOfWork): Promise<{ data: Me }> {
  return { data: await work.use(MeRepository).user() };
}
