import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../persistence/work/unit-of-work.js';
import { CatalogRepository, EnvironmentListRepository } from '../catalog/index.js';
import { PublishedBodyRepository } from './published-body.repository.js';

interface BodyWork {
  readonly units: UnitOfWorkFactory;
  onError(error: unknown): void;
}

/** Of one environment and run, so that none waits long for another. */
const BATCHES = 100;

const platform = { scope: systemScope(), isReadOnly: true, lock: 'none' } as const;

const writeSome = async (work: UnitOfWork): Promise<boolean> =>
  work.use(PublishedBodyRepository).fill(await work.use(CatalogRepository).current());

/** Writes missing texts of published documents, each batch in a transaction. */
export async function writeBodies({ units, onError }: BodyWork): Promise<void> {
  const ids = await units.run(platform, (work) => work.use(PublishedBodyRepository).environments());
  if (ids.length === 0) return;
  const heads = await units.run(platform, (work) => work.use(EnvironmentListRepository).all());
  for (const head of heads.filter(({ environmentId }) => ids.includes(environmentId))) {
    const scope = systemScope({ address: addressOf(head) });
    const request = { scope, isReadOnly: false, lock: 'none' } as const;
    try {
      for (let batch = 0; batch < BATCHES && (await units.run(request, writeSome)); batch += 1);
    } catch (error) {
      onError(error);
    }
  }
}
