import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { assertAccepted, assertPermitted } from '../access/authorize.js';
import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { DeliveryTrace } from '../features/publishing/delivery/index.js';
import type { WorkScope } from '../persistence/work/unit-of-work.js';
import type { AdmissionRequest, Call, IdentifiedCaller, OperationScope, RunMode } from './call.js';
import { authenticate } from './credentials.js';
import {
  assertNamed,
  catalogOfCall,
  isAddressAdmitted,
  isAddressRestricted,
  projectRefusal,
} from './project-access.js';
import { mapDatabaseErrors } from './failures.js';
import { spendRate } from './rate.js';
import { platformScope, projectScope } from './scopes.js';
import type { Services } from './services.js';
import { toAppError } from '../../contracts/procedure.js';

interface KeyCall {
  readonly services: Services;
  readonly call: Call;
  readonly caller: IdentifiedCaller;
  readonly operation: OperationMeta;
}

/**
 * Counts the call of a key for reports, by its outcome. Only management operations are counted, over MCP only tool
 * calls: delivery is served from caches.
 */
function countCall({ services, call, caller, operation }: KeyCall, failure?: unknown): void {
  const { principal, catalog } = caller;
  if (principal.kind !== 'api_key' || catalog === null || operation.audience !== 'management') return;
  if (call.surface === 'mcp' && call.tool === undefined) return;
  const isRead = operation.action === 'read' || operation.changesNothing === true;
  const succeeded = isRead ? 'reads' : 'writes';
  const failed = (): 'rateLimited' | 'errors' =>
    toAppError(failure).code === 'rate_limit_exceeded' ? 'rateLimited' : 'errors';
  services.keyUsage.record({
    tenantId: catalog.data.tenant.id,
    projectId: catalog.data.project.id,
    environmentId: catalog.data.environment.id,
    apiKeyId: principal.id,
    surface: call.surface,
    tool: call.tool,
    address: call.ip,
    outcome: failure === undefined ? succeeded : failed(),
  });
}

/** Runs an admitted call and counts it. */
export async function counted<T>(call: KeyCall, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    countCall(call);
    return result;
  } catch (failure) {
    countCall(call, failure);
    throw failure;
  }
}

type MaybePromise<T> = T | Promise<T>;

/** `then` that is synchronous for a value that is not a promise. */
function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Only a promise can fail in the database. */
const mapAsyncErrors = <T>(value: MaybePromise<T>): MaybePromise<T> =>
  value instanceof Promise ? mapDatabaseErrors(() => value) : value;

/** `work` is created on first use: published reads do not need it. */
class AdmittedScope implements OperationScope {
  readonly trace = new DeliveryTrace();
  readonly principal: Principal;
  readonly catalog: Catalog | null;
  #work: WorkScope | undefined;

  constructor(
    readonly services: Services,
    readonly call: Call,
    { principal, catalog, mode }: IdentifiedCaller & { readonly mode: RunMode },
  ) {
    this.principal = principal;
    this.catalog = catalog;
    this.mode = mode;
  }

  readonly mode: RunMode;

  settle(operation: OperationMeta, failure: unknown): void {
    const { services, call } = this;
    if (call.surface === 'trpc') countCall({ services, call, caller: this, operation }, failure);
  }

  get principalId(): string | null {
    return this.principal.kind === 'anonymous' ? null : this.principal.id;
  }

  get work(): WorkScope {
    const { call, principal, catalog } = this;
    return (this.#work ??=
      catalog === null ? platformScope(call, principal) : projectScope(call, principal, catalog));
  }
}

/** Checks principal, key type, project and environment, and address. */
function identify(
  services: Services,
  call: Call,
  admission: AdmissionRequest,
): MaybePromise<IdentifiedCaller> {
  const { operation, projectSlug } = admission;
  const { audience } = operation;
  return chain(authenticate(services, call, admission), (principal) => {
    assertAccepted(principal, operation, call.surface);
    if (audience !== 'management' && audience !== 'delivery') return { principal, catalog: null };
    const named = call.environment;
    const found = catalogOfCall(services.catalogs, principal, { projectSlug, audience, named });
    return chain(found, (catalog) => {
      const refusal = projectRefusal(principal, catalog);
      if (refusal !== undefined || catalog === undefined) throw new AppError(refusal ?? 'project_not_found');
      assertNamed(principal, catalog, named);
      if (isAddressRestricted(principal, catalog)) {
        const request = { address: call.ip, audience, surface: call.surface, now: services.clock() };
        if (!isAddressAdmitted(principal, catalog, request)) throw new AppError('ip_not_allowed');
      }
      return { principal, catalog };
    });
  });
}

/**
 * Every check of {@link admit} except rate limit and action. MCP reports these failures as HTTP status, a missing
 * permission as tool result.
 * @throws AppError of rule access/failures, except `permission_denied`
 */
export async function assertProjectAccess(
  services: Services,
  call: Call,
  request: AdmissionRequest,
): Promise<IdentifiedCaller> {
  return mapAsyncErrors(identify(services, call, request));
}

/**
 * Admits a caller who was identified, at no cost of their rate limit: work of the service in their name.
 * @throws AppError as {@link admit}
 */
export function admitIdentified(
  services: Services,
  call: Call,
  { operation, caller }: { readonly operation: OperationMeta; readonly caller: IdentifiedCaller },
): OperationScope {
  const { principal, catalog } = caller;
  assertAccepted(principal, operation, call.surface);
  const environmentSlug = catalog?.data.environment.slug ?? null;
  assertPermitted(principal, operation, { surface: call.surface, environmentSlug });
  return new AdmittedScope(services, call, { principal, catalog, mode: {} });
}

/**
 * Checks, in this order: principal, key active, key type, project and environment, address, rate limit, action.
 * Synchronous if everything is in memory.
 * @throws AppError of rule access/failures
 */
export function admit(
  services: Services,
  call: Call,
  request: AdmissionRequest,
): MaybePromise<OperationScope> {
  const { operation, mode = {} } = request;
  const caller = request.caller ?? identify(services, call, request);
  const admission = chain(caller, ({ principal, catalog }) => {
    call.onIdentified?.({ principal, catalog, tool: call.tool });
    const permit = (): OperationScope => {
      const environmentSlug = catalog?.data.environment.slug ?? null;
      assertPermitted(principal, operation, { surface: call.surface, environmentSlug });
      return new AdmittedScope(services, call, { principal, catalog, mode });
    };
    const refused = (failure: unknown): never => {
      countCall({ services, call, caller: { principal, catalog }, operation }, failure);
      throw failure;
    };
    try {
      const spent = spendRate(services.rates, { principal, call, operation });
      return spent instanceof Promise ? spent.then(permit).catch(refused) : permit();
    } catch (failure) {
      return refused(failure);
    }
  });
  return mapAsyncErrors<OperationScope>(admission);
}
