import { AppError } from '../../contracts/errors.js';
import type { OperationContext, OperationMeta } from '../../contracts/operation.js';
import { assertAccepted, assertPermitted } from '../access/authorize.js';
import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { DeliveryTrace } from '../features/delivery/index.js';
import type { Call, OperationScope, RunMode } from './call.js';
import { authenticate } from './credentials.js';
import { mapped } from './failures.js';
import { platformScope, projectScope } from './scopes.js';
import { Rehearsal } from '../persistence/unit-of-work.js';
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
    catalog?.data.tenant.id !== principal.tenantId
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

async function recognise(
  services: Services,
  call: Call,
  operation: GateRequest,
): Promise<Pick<OperationScope, 'principal' | 'catalog'>> {
  const principal = await authenticate(services, call, operation);
  assertAccepted(principal, operation, call.surface);
  const isProjectWork = operation.audience === 'management' || operation.audience === 'delivery';
  return {
    principal,
    catalog: isProjectWork ? await projectOf(services, principal, operation.projectSlug ?? '') : null,
  };
}

/**
 * Whether the credential may enter at all, whatever it may do inside: every check of {@link admit}
 * but the last. Agents learn this much from the HTTP status, a missing permission from the tool's reply.
 * @throws AppError with the code of decisions 2.2, save `permission_denied`
 */
export async function assertEntrance(services: Services, call: Call, operation: GateRequest): Promise<void> {
  await mapped(() => recognise(services, call, operation));
}

/**
 * The one admission function, in the order of architecture §6: credential, active, type, project,
 * action. What follows it is input and meaning.
 */
export function admit(services: Services, call: Call, operation: GateRequest): Promise<OperationScope> {
  return mapped(async () => {
    const { principal, catalog } = await recognise(services, call, operation);
    assertPermitted(principal, operation, call.surface);
    return {
      principalId: principal.kind === 'anonymous' ? null : principal.id,
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
