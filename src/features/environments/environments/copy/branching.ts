import type { UnitOfWorkFactory, WorkScope } from '../../../../persistence/work/unit-of-work.js';
import { BranchRepository } from './copy.repository.js';

/**
 * Runs a copy whose snapshot is taken while writers of the project are locked out, for as long as that takes. What is
 * written after the snapshot is journaled, and nothing else.
 */
export class Branching {
  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly scope: WorkScope,
    private readonly copiesContent: boolean,
  ) {}

  /** @param copy calls its parameter once, when it has its snapshot and if it is the one that copies */
  async run<T>(copy: (open: (baseId: string) => Promise<void>) => Promise<T>): Promise<T> {
    const asked = Promise.withResolvers<string | undefined>();
    const opened = Promise.withResolvers<undefined>();
    opened.promise.catch(() => undefined);
    let isAsked = false;
    const open = async (baseId: string): Promise<void> => {
      // A repeated transaction has a later snapshot, taken without the lock.
      if (isAsked) throw new Error('The copy must be started again');
      isAsked = true;
      asked.resolve(baseId);
      await opened.promise;
    };
    let copied: Promise<T> | undefined;
    const request = { scope: this.scope, isReadOnly: false, lock: 'schema' } as const;
    try {
      await this.units.run(request, async (work) => {
        copied ??= copy(open);
        copied.then(
          () => asked.resolve(undefined),
          () => asked.resolve(undefined),
        );
        const baseId = await asked.promise;
        if (baseId !== undefined) await work.use(BranchRepository).open(baseId, this.copiesContent);
      });
      opened.resolve(undefined);
    } catch (error) {
      opened.reject(error);
      await copied?.catch(() => undefined);
      throw error;
    }
    if (copied === undefined) throw new Error('The copy was not started');
    return copied;
  }
}
