import { AppError } from '../../contracts/errors.js';
import type { Admission } from '../../contracts/procedure.js';
import type { RunPart } from '../features/webhooks/index.js';
import { Rehearsal, type UnitOfWork, type WorkLock } from '../persistence/work/unit-of-work.js';
import type { Binding } from './bind.js';
import type { OperationScope } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import type { LoginAttempts } from './rate.js';
import { runOnce, runOnceApart } from './run-once.js';
import type { Services } from './services.js';

type UseCase<W, I, O> = (work: W, input: I) => Promise<O>;
type ServiceUseCase<W, I, O, S> = (work: W, input: I, services: S) => Promise<O>;

/** The gate makes every admission, so the full scope is always behind it. */
const scopeOf = (admission: Admission): OperationScope => admission as OperationScope;

interface WorkMode {
  readonly isReadOnly: boolean;
  readonly lock: WorkLock;
}

/** Runs a use case in one unit of work; with an `Idempotency-Key` a write runs once. */
function inWork<O>(
  { services, work, mode }: OperationScope,
  { isReadOnly, lock }: WorkMode,
  run: (unit: UnitOfWork) => Promise<O>,
): Promise<O> {
  const request = { scope: work, isReadOnly, lock, rehearsal: mode.rehearsal };
  const { idempotency: call } = mode;
  if (call === undefined || isReadOnly) return mapDatabaseErrors(() => services.units.run(request, run));
  return mapDatabaseErrors(() => runOnce(services, request, { call, run }));
}

/** Runs a use case as a write that is rolled back. */
function inTrial<O>({ services, work }: OperationScope, run: (unit: UnitOfWork) => Promise<O>): Promise<O> {
  const request = { scope: work, isReadOnly: false, lock: 'content', rehearsal: new Rehearsal() } as const;
  return mapDatabaseErrors(() => services.units.run(request, run));
}

interface QueryOptions {
  /** Runs the checks of a write and rolls back. */
  readonly rollsBack?: true;
}

interface ReadOptions<R, I> {
  /** Opens what the use case reads from, in place of a unit of work. */
  readonly read: (scope: OperationScope, input: I) => R | Promise<R>;
}

type QueryBinding<I, O> = Binding<'query', I, O>;

/** Binds a use case that only reads: in a read-only unit of work, or from what `read` opens. */
export function query<I, O>(useCase: UseCase<UnitOfWork, I, O>, options?: QueryOptions): QueryBinding<I, O>;
export function query<I, O, R>(useCase: UseCase<R, I, O>, options: ReadOptions<R, I>): QueryBinding<I, O>;
export function query<I, O>(
  useCase: UseCase<never, I, O>,
  options: QueryOptions | ReadOptions<unknown, I> = {},
): QueryBinding<I, O> {
  if ('read' in options) {
    const { read } = options;
    const run = useCase as UseCase<unknown, I, O>;
    return {
      kind: 'query',
      resolver: ({ ctx, input }) =>
        mapDatabaseErrors(() => {
          const opened = read(scopeOf(ctx.admission), input);
          return opened instanceof Promise ? opened.then((source) => run(source, input)) : run(opened, input);
        }),
    };
  }
  const run = useCase as UseCase<UnitOfWork, I, O>;
  const { rollsBack } = options;
  return {
    kind: 'query',
    resolver: ({ ctx, input }) => {
      const scope = scopeOf(ctx.admission);
      if (rollsBack === true) return inTrial(scope, (unit) => run(unit, input));
      return inWork(scope, { isReadOnly: true, lock: 'none' }, (unit) => run(unit, input));
    },
  };
}

interface MutationOptions<I> {
  /** What may not change concurrently: `content` (default) excludes changes of the schema, `schema` any other write. */
  readonly lock?: WorkLock;
  /** Limits failures per account; a success forgets them. */
  readonly attempts?: (scope: OperationScope, input: I) => LoginAttempts;
}

interface ServiceOptions<S> {
  /** The services that the use case receives. */
  readonly with: (services: Services) => S;
}

/** The use case opens units of work itself, so that a call to another system is outside of each. */
interface InParts<S> extends ServiceOptions<S> {
  readonly inParts: true;
}

type MutationBinding<I, O> = Binding<'mutation', I, Exclude<O, AppError>>;
type AnyOptions<I> = MutationOptions<I> & Partial<ServiceOptions<unknown>> & { readonly inParts?: true };

function inParts<O>(scope: OperationScope, run: (inPart: RunPart) => Promise<O>): Promise<O> {
  const { services, work, mode } = scope;
  const inPart: RunPart = (part) =>
    services.units.run({ scope: work, isReadOnly: false, lock: 'none' }, part);
  const { idempotency: call } = mode;
  return mapDatabaseErrors(() =>
    call ? runOnceApart(services, { scope: work }, { call, run: () => run(inPart) }) : run(inPart),
  );
}

/**
 * Binds a use case that writes in one unit of work. An AppError that it returns, instead of throwing it, fails the
 * call after its changes are committed.
 */
export function mutation<I, O>(
  useCase: UseCase<UnitOfWork, I, O>,
  options?: MutationOptions<I>,
): MutationBinding<I, O>;
export function mutation<I, O, S>(
  useCase: ServiceUseCase<RunPart, I, O, S>,
  options: InParts<S>,
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
      await attempts?.begin();
      const services = options.with?.(scope.services);
      const output = await (options.inParts === true
        ? inParts(scope, (inPart) => run(inPart, input, services))
        : inWork(scope, { isReadOnly: false, lock }, (unit) => run(unit, input, services)));
      if (output instanceof AppError) throw output;
      await attempts?.succeed();
      return output as Exclude<O, AppError>;
    },
  };
}
