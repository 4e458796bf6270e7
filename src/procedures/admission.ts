import { AppError } from '../../contracts/errors.js';
import { assertAccepted, assertPermitted } from '../access/authorize.js';
import { environmentOfCall, type Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { DeliveryTrace } from '../features/delivery/index.js';
import type { WorkScope } from '../persistence/work/unit-of-work.js';
import type { AdmissionRequest, Call, OperationScope, RunMode } from './call.js';
import { authenticate } from './credentials.js';
import { mapDatabaseErrors } from './failures.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import { spendRate } from './rate.js';
import { platformScope, projectScope } from './scopes.js';
import type { Services } from './services.js';

type MaybePromise<T> = T | Promise<T>;

/** Continues at once with a value that is known, and later with one that must be awaited. */
function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Only what is awaited can fail in the database. */
const withMappedErrors = <T>(value: MaybePromise<T>): MaybePromise<T> =>
  value instanceof Promise ? mapDatabaseErrors(() => value) : value;

interface Caller {
  readonly principal: Principal;
  readonly catalog: Catalog | null;
}

/** The scope of an admitted call; published reads do not need the scope of work, which is made on first use. */
class AdmittedScope implements OperationScope {
  readonly trace = new DeliveryTrace();
  readonly principal: Principal;
  readonly catalog: Catalog | null;
  #work: WorkScope | undefined;

  constructor(
    readonly services: Services,
    readonly call: Call,
    { principal, catalog, mode }: Caller & { readonly mode: RunMode },
  ) {
    this.principal = principal;
    this.catalog = catalog;
    this.mode = mode;
  }

  readonly mode: RunMode;

  get principalId(): string | null {
    return this.principal.kind === 'anonymous' ? null : this.principal.id;
  }

  get work(): WorkScope {
    const { call, principal, catalog } = this;
    return (this.#work ??=
      catalog === null ? platformScope(call, principal) : projectScope(call, principal, catalog));
  }
}

/** Principal, key type, project and environment, address. */
function recognise(services: Services, call: Call, request: AdmissionRequest): MaybePromise<Caller> {
  const { operation, projectSlug } = request;
  const { audience } = operation;
  return after(authenticate(services, call, request), (principal) => {
    assertAccepted(principal, operation, call.surface);
    if (audience !== 'management' && audience !== 'delivery') return { principal, catalog: null };
    const { catalogs } = services;
    const environment = environmentOfCall(principal);
    const found = catalogs.peek(projectSlug, environment) ?? catalogs.find(projectSlug, environment);
    return after(found, (catalog) => {
      const refusal = projectRefusal(principal, catalog);
      if (refusal !== undefined || catalog === undefined) throw new AppError(refusal ?? 'project_not_found');
      if (isAddressRestricted(principal, catalog)) {
        const entrance = { address: call.ip, audience, surface: call.surface, now: services.clock() };
        if (!isAddressAdmitted(principal, catalog, entrance)) throw new AppError('ip_not_allowed');
      }
      return { principal, catalog };
    });
  });
}

/**
 * Whether the credential may enter at all, whatever it may do inside: every check of {@link admit} but rate limit and
 * action. Agents learn this much from the HTTP status, a missing permission from the tool's reply.
 * @throws AppError with the code of decisions 2.2, save `permission_denied`
 */
export async function assertEntrance(
  services: Services,
  call: Call,
  request: AdmissionRequest,
): Promise<Pick<OperationScope, 'catalog'>> {
  return withMappedErrors(recognise(services, call, request));
}

/**
 * The one admission function, in this order: principal, key active, key type, project and environment, address, rate
 * limit, action. Parsing the input comes after it. Does not wait where everything it needs is in memory.
 * @throws AppError with the code of decisions 2.2
 */
export function admit(
  services: Services,
  call: Call,
  request: AdmissionRequest,
): MaybePromise<OperationScope> {
  const { operation, mode = {} } = request;
  const admission = after(recognise(services, call, request), ({ principal, catalog }) => {
    call.onIdentified?.({ principal, catalog, tool: call.tool });
    return after(spendRate(services.rates, { principal, call, operation }), () => {
      const environmentSlug = catalog?.data.environment.slug ?? null;
      assertPermitted(principal, operation, { surface: call.surface, environmentSlug });
      return new AdmittedScope(services, call, { principal, catalog, mode });
    });
  });
  return withMappedErrors<OperationScope>(admission);
}
