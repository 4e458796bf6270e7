import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { me } from '../../../contracts/management/me.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EnterableProject } from '../../../contracts/resources/caller.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MeRepository } from './me.repository.js';

export async function listMyProjects(
  work: UnitOfWork,
  input: InputOf<typeof me.projects>,
): Promise<{ data: EnterableProject[]; meta: PageMeta }> {
  const { page, limit, orderBy, q } = input;
  const query = { orderBy, contains: q ?? null, limit, offset: (page - 1) * limit };
  return listEnvelope(await work.use(MeRepository).projects(query), input);
}
