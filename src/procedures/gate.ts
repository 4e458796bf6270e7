import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import type { OperationContext } from '../../contracts/procedure.js';
import { guardedInterface, isAddressAllowed } from '../access/address-rules.js';
import { assertAccepted, assertPermitted } from '../access/authorize.js';
import { isWithin } from '../access/networks.js';
import type { GuardedInterface } from '../../contracts/resources/ip-allowlist.js';
import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { DeliveryTrace } from '../features/delivery/index.js';
import type { Call, OperationScope, RunMode, IdempotentCall } from './call.js';
import { authenticate } from './credentials.js';
import { mapDatabaseErrors } from './failures.js';
import { idempotentCall, type IdempotentRequest } from './run-once.js';
import { assertRate } from './rate.js';
import { platformScope, projectScope } from './scopes.js';
import { Rehearsal } from '../persistence/work/unit-of-work.js';
import type { Services } from './services.js';

/**
 * The project of a call, as this principal may know of it: to a key every project but its own is
 * `wrong_project`, whether it exists or not.
 */
async function projectOf(services: Services, principal: Principal, projectSlug: string): Promise<Catalog> {
  const catalog = await services.catalogs.find(projectSlug);
  if (principal.kind === 'api_key' && catalog?.data.project.id !== principal.projectId)
    throw new AppError('wrong_project');
  if (
    principal.kind === 'user' &&
    !principal.isSuperAdmin &&
    (principal.projectId === null || catalog?.data.project.id !== principal.projectId)
  ) {
    throw new AppError('wrong_project');
  }
  if (catalog === undefined) throw new AppError('project_not_found');
  if (!catalog.data.tenant.isActive) throw new AppError('tenant_inactive');
  const boundTo = principal.kind === 'api_key' ? principal.environmentId : null;
  if (boundTo !== null && boundTo !== catalog.data.environment.id)
    throw new AppError('environment_not_allowed');
  return catalog;
}

/** What is asked of the gate, and in which project. */
type GateRequest = OperationMeta & { projectSlug?: string };

/**
 * The networks of the project's allowlist and of the key itself (decisions 2.26). Super-admins are
 * exempt from the project's.
 * @throws AppError 403 `ip_not_allowed`
 */
function assertAddress(
  { data }: Catalog,
  principal: Principal,
  call: { address: string | null; guarded: GuardedInterface | undefined; now: Date },
): void {
  const { address, guarded, now } = call;
  const isExempt = guarded === undefined || (principal.kind === 'user' && principal.isSuperAdmin);
  const isWelcome = isExempt || isAddressAllowed(data.addressRules, { address, guarded, now });
  const own = principal.kind === 'api_key' ? principal.ipAllowlist : [];
  if (!isWelcome || (own.length > 0 && !isWithin(own, address))) throw new AppError('ip_not_allowed');
}

async function recognise(
  services: Services,
  call: Call,
  operation: GateRequest,
): Promise<Pick<OperationScope, 'principal' | 'catalog'>> {
  const principal = await authenticate(services, call, operation);
  assertAccepted(principal, operation, call.surface);
  const isProjectWork = operation.audience === 'management' || operation.audience === 'delivery';
  if (!isProjectWork) return { principal, catalog: null };
  const catalog = await projectOf(services, principal, operation.projectSlug ?? '');
  const guarded = guardedInterface(operation.audience, call.surface);
  assertAddress(catalog, principal, { address: call.ip, guarded, now: services.clock() });
  return { principal, catalog };
}

/**
 * Whether the credential may enter at all, whatever it may do inside: every check of {@link admit}
 * but the last. Agents learn this much from the HTTP status, a missing permission from the tool's reply.
 * @throws AppError with the code of decisions 2.2, save `permission_denied`
 */
export async function assertEntrance(services: Services, call: Call, operation: GateRequest): Promise<void> {
  await mapDatabaseErrors(() => recognise(services, call, operation));
}

/**
 * The one admission function, in the order of architecture §6: credential, active, type, project,
 * address, rate, action. What follows it is input and meaning.
 */
export function admit(services: Services, call: Call, operation: GateRequest): Promise<OperationScope> {
  return mapDatabaseErrors(async () => {
    const { principal, catalog } = await recognise(services, call, operation);
    call.onRecognised?.({ principal, catalog, tool: call.tool });
    await assertRate(services.rates, { principal, call, operation });
    assertPermitted(principal, operation, {
      surface: call.surface,
      environmentSlug: catalog?.data.environment.slug ?? null,
    });
    return {
      principalId: principal.kind === 'anonymous' ? null : principal.id,
      call,
      principal,
      catalog,
      work: catalog === null ? platformScope(call, principal) : projectScope(call, principal, catalog),
      mode: {},
      trace: new DeliveryTrace(),
      services,
    };
  });
}

function projectSlugIn(rawInput: unknown): string {
  const slug = (rawInput as { projectSlug?: unknown } | null | undefined)?.projectSlug;
  return typeof slug === 'string' ? slug : '';
}

/** The context of one call: what it was admitted with is remembered, so that a surface may ask before it reads the body. */
export class CallContext implements OperationContext {
  readonly #mode: RunMode = {};
  readonly #admissions = new Map<string, Promise<OperationScope>>();

  constructor(
    private readonly services: Services,
    readonly call: Call,
  ) {}

  /** From here on operations are only tried and rolled back; answers what holds the changes they would have made. */
  rehearse(): Rehearsal {
    const rehearsal = new Rehearsal();
    this.#mode.rehearsal = rehearsal;
    return rehearsal;
  }

  /** From here on an operation's effect happens once for the key that the caller sent; answers what tells of it. */
  once(scope: OperationScope, request: IdempotentRequest): IdempotentCall {
    const call = idempotentCall(scope.principal, request);
    this.#mode.idempotency = call;
    return call;
  }

  /** From here on operations are run for good. */
  perform(): void {
    delete this.#mode.rehearsal;
  }

  admit(operation: OperationMeta, rawInput: unknown): Promise<OperationScope> {
    const projectSlug = projectSlugIn(rawInput);
    const key = JSON.stringify([operation.audience, operation.resource, operation.action, projectSlug]);
    const known = this.#admissions.get(key);
    if (known !== undefined) return known;
    const admission = admit(this.services, this.call, { ...operation, projectSlug }).then((scope) => ({
      ...scope,
      mode: this.#mode,
    }));
    this.#admissions.set(key, admission);
    return admission;
  }
}
