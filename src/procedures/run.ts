import { AppError } from '../../contracts/errors.js';
import type { Admission } from '../../contracts/procedure.js';
import { Rehearsal, type RunPart, type UnitOfWork, type WorkLock } from '../persistence/work/unit-of-work.js';
import type { Binding } from './bind.js';
import type { OperationScope } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import type { LoginAttempts } from './rate.js';
import { runOnce, runOnceOutsideTransaction } from './run-once.js';
import type { Services } from './services.js';

type UseCase<U, I, O> = (unit: U, input: I) => Promise<O>;
type ServiceUseCase<U, I, O, S> = (unit: U, input: I, services: S) => Promise<O>;

/** Every admission is made by the gate, which returns the full scope. */
const scopeOf = (admission: Admission): OperationScope => admission as OperationScope;

interface UnitOptions {
  readonly isReadOnly: boolean;
  readonly lock: WorkLock;
}

/** With an `Idempotency-Key`, a write runs once. */
function runInUnit<O>(
  { services, work, mode }: OperationScope,
  { isReadOnly, lock }: UnitOptions,
  run: (unit: UnitOfWork) => Promise<O>,
): Promise<O> {
  const request = { scope: work, isReadOnly, lock, rehearsal: mode.rehearsal };
  const { idempotency: call } = mode;
  if (call === undefined || isReadOnly) return mapDatabaseErrors(() => services.units.run(request, run));
  return mapDatabaseErrors(() => runOnce(services, request, { call, run }));
}

function runAndRollBack<O>(
  { services, work }: OperationScope,
  run: (unit: UnitOfWork) => Promise<O>,
): Promise<O> {
  const request = { scope: work, isReadOnly: false, lock: 'content', rehearsal: new Rehearsal() } as const;
  return mapDatabaseErrors(() => services.units.run(request, run));
}

interface QueryOptions<S = unknown> {
  /** Runs as a write and rolls back. */
  readonly rollsBack?: true;
  /** Services passed to the use case. */
  readonly with?: (services: Services) => S;
}

interface ReadOptions<R, I> {
  /** Opens the source of the read, instead of a unit of work. */
  readonly read: (scope: OperationScope, input: I) => R | Promise<R>;
}

type QueryBinding<I, O> = Binding<'query', I, O>;

/** Binds a use case that reads, in a read-only unit of work or from the source that `read` opens. */
export function query<I, O>(useCase: UseCase<UnitOfWork, I, O>, options?: QueryOptions): QueryBinding<I, O>;
export function query<I, O, R>(useCase: UseCase<R, I, O>, options: ReadOptions<R, I>): QueryBinding<I, O>;
export function query<I, O, S>(
  useCase: ServiceUseCase<UnitOfWork, I, O, S>,
  options: Required<Pick<QueryOptions<S>, 'with'>>,
): QueryBinding<I, O>;
export function query<I, O>(
  useCase: ServiceUseCase<never, I, O, never>,
  options: QueryOptions | ReadOptions<unknown, I> = {},
): QueryBinding<I, O> {
  if ('read' in options) {
    const { read } = options;
    const run = useCase as unknown as UseCase<unknown, I, O>;
    return {
      kind: 'query',
      resolver: ({ ctx, input }) =>
        mapDatabaseErrors(() => {
          const opened = read(scopeOf(ctx.admission), input);
          return opened instanceof Promise ? opened.then((source) => run(source, input)) : run(opened, input);
        }),
    };
  }
  const run = useCase as ServiceUseCase<UnitOfWork, I, O, unknown>;
  const { rollsBack } = options;
  return {
    kind: 'query',
    resolver: ({ ctx, input }) => {
      const scope = scopeOf(ctx.admission);
      const services = options.with?.(scope.services);
      if (rollsBack === true) return runAndRollBack(scope, (unit) => run(unit, input, services));
      return runInUnit(scope, { isReadOnly: true, lock: 'none' }, (unit) => run(unit, input, services));
    },
  };
}

interface MutationOptions<I> {
  /** `content` (default) excludes concurrent schema changes, `schema` any concurrent write. */
  readonly lock?: WorkLock;
  /** `dryRun: true` of the input rolls the call back. The use case returns what it would do. */
  readonly rehearses?: (input: I) => boolean;
  /** Limits failures per account; success resets the count. */
  readonly attempts?: (scope: OperationScope, input: I) => LoginAttempts;
}

interface ServiceOptions<S> {
  /** Services passed to the use case. */
  readonly with: (services: Services, scope: OperationScope) => S;
}

/** What calls other systems before the unit of work of the use case. */
interface PreparedOptions<I, S, P> extends ServiceOptions<S> {
  /**
   * Makes the services of the use case. Runs again if the call is repeated with its `Idempotency-Key`.
   * @param inPart undefined for a dry run
   */
  readonly prepare: (inPart: RunPart | undefined, input: I, services: S) => Promise<P>;
}

/** The use case opens units of work itself, so that calls to other systems are outside of them. */
interface InParts<S> extends ServiceOptions<S> {
  readonly inParts: true;
  /** Of each part; `none` by default. */
  readonly lock?: WorkLock;
}

type MutationBinding<I, O> = Binding<'mutation', I, Exclude<O, AppError>>;
type AnyOptions<I> = MutationOptions<I> & {
  readonly with?: (services: Services, scope: OperationScope) => unknown;
  readonly prepare?: (inPart: RunPart | undefined, input: I, services: never) => Promise<unknown>;
  readonly inParts?: true;
};

interface ReportOptions<S> extends Partial<ServiceOptions<S>> {
  /** Whether it writes what is derived from content. */
  readonly writes?: true;
  /** Runs as a write of content and rolls back. */
  readonly rollsBack?: true;
}

/** Binds a use case that changes nothing, but is a POST: `changesNothing` of its contract. */
export const report = <I, O, S = unknown>(
  useCase: ServiceUseCase<UnitOfWork, I, O, S>,
  options?: ReportOptions<S>,
): MutationBinding<I, O> => ({
  kind: 'mutation',
  resolver: ({ ctx, input }) => {
    const scope = scopeOf(ctx.admission);
    const services = options?.with?.(scope.services, scope) as S;
    const run = (unit: UnitOfWork): Promise<O> => useCase(unit, input, services);
    const done =
      options?.rollsBack === true
        ? runAndRollBack(scope, run)
        : runInUnit(scope, { isReadOnly: options?.writes !== true, lock: 'none' }, run);
    return done as Promise<Exclude<O, AppError>>;
  },
});

const partsOf =
  ({ services, work, mode }: OperationScope, lock: WorkLock): RunPart =>
  (part) =>
    services.units.run({ scope: work, isReadOnly: false, lock, rehearsal: mode.rehearsal }, part);

function runInParts<O>(
  scope: OperationScope,
  lock: WorkLock,
  run: (inPart: RunPart) => Promise<O>,
): Promise<O> {
  const { services, work, mode } = scope;
  const inPart = partsOf(scope, lock);
  const { idempotency: call } = mode;
  return mapDatabaseErrors(() =>
    call
      ? runOnceOutsideTransaction(services, { scope: work }, { call, run: () => run(inPart) })
      : run(inPart),
  );
}

/** Nothing is fetched for a dry run. */
const prepared = <I>(
  scope: OperationScope,
  input: I,
  { prepare, given }: Pick<AnyOptions<I>, 'prepare'> & { readonly given: unknown },
): Promise<unknown> => {
  const isDry = scope.mode.rehearsal !== undefined;
  return mapDatabaseErrors(async () =>
    prepare?.(isDry ? undefined : partsOf(scope, 'none'), input, given as never),
  );
};

/**
 * Binds a use case that writes in one unit of work. If it returns an AppError instead of throwing it, its changes are
 * committed and the call fails.
 */
export function mutation<I, O>(
  useCase: UseCase<UnitOfWork, I, O>,
  options?: MutationOptions<I>,
): MutationBinding<I, O>;
export function mutation<I, O, S>(
  useCase: ServiceUseCase<RunPart, I, O, S>,
  options: InParts<S>,
): MutationBinding<I, O>;
export function mutation<I, O, S, P>(
  useCase: ServiceUseCase<UnitOfWork, I, O, P>,
  options: MutationOptions<I> & PreparedOptions<I, S, P>,
): MutationBinding<I, O>;
export function mutation<I, O, S>(
  useCase: ServiceUseCase<UnitOfWork, I, O, S>,
  options: MutationOptions<I> & ServiceOptions<S>,
): MutationBinding<I, O>;
export function mutation<I, O>(
  useCase: ServiceUseCase<never, I, O, never>,
  options: AnyOptions<I> = {},
): MutationBinding<I, O> {
  const run = useCase as ServiceUseCase<unknown, I, O, unknown>;
  const lock = options.lock ?? 'content';
  return {
    kind: 'mutation',
    resolver: async ({ ctx, input }) => {
      const scope = scopeOf(ctx.admission);
      const attempts = options.attempts?.(scope, input);
      await attempts?.start();
      const given = options.with?.(scope.services, scope);
      const services =
        options.prepare === undefined ? given : await prepared(scope, input, { ...options, given });
      const output = await (options.inParts === true
        ? runInParts(scope, options.lock ?? 'none', (inPart) => run(inPart, input, services))
        : options.rehearses?.(input) === true
          ? runAndRollBack(scope, (unit) => run(unit, input, services))
          : runInUnit(scope, { isReadOnly: false, lock }, (unit) => run(unit, input, services)));
      if (output instanceof AppError) throw output;
      await attempts?.succeed();
      return output as Exclude<O, AppError>;
    },
  };
}
