import type { OperationMeta } from '../../contracts/metadata.js';
import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { DeliveryTrace } from '../features/delivery/index.js';
import type { WorkScope } from '../persistence/work/unit-of-work.js';
import type { Call, OperationScope, RunMode } from './call.js';
import { principalOf } from './credentials.js';
import { DeliveryCallers, type DeliveryCaller } from './delivery-callers.js';
import { spendsFromMemory } from './rate.js';
import { projectScope } from './scopes.js';
import type { Services } from './services.js';

/** A call that reads. */
export interface ReadCall extends Call {
  /** Who calls, where that was found out in this very turn. */
  readonly caller: DeliveryCaller | undefined;
}

const nobody: Principal = { kind: 'anonymous' };

/** The scope of a read; what only work on drafts needs is made when it is asked for. */
class ReadScope implements OperationScope {
  readonly trace = new DeliveryTrace();
  readonly mode: RunMode = {};

  readonly call: Call;
  readonly principal: Principal;
  readonly catalog: Catalog;

  constructor(
    readonly services: Services,
    { call, principal, catalog }: Pick<OperationScope, 'call' | 'principal'> & { readonly catalog: Catalog },
  ) {
    this.call = call;
    this.principal = principal;
    this.catalog = catalog;
  }

  get principalId(): string | null {
    return this.principal.kind === 'anonymous' ? null : this.principal.id;
  }

  get work(): WorkScope {
    return projectScope(this.call, this.principal, this.catalog);
  }
}

/**
 * The gate for reads of published content by those who may see nothing else: every check of {@link admit}, without
 * waiting for anything. It lets in whom it knows from memory; whoever it does not is the gate's own business.
 */
export class PublishedGate {
  readonly #callers: DeliveryCallers;

  constructor(private readonly services: Services) {
    this.#callers = new DeliveryCallers(services);
  }

  /** @param operation one of delivery's that reads */
  admit(operation: OperationMeta, call: ReadCall, projectSlug: string): OperationScope | undefined {
    const { services } = this;
    const caller = call.caller ?? this.#callers.remembered(call.authorization);
    if (caller === undefined) return undefined;
    const catalog = services.catalogs.remembered(projectSlug);
    if (catalog === undefined || !this.#isLetIn(catalog, caller, call.ip)) return undefined;
    const principal = caller === 'anonymous' ? nobody : principalOf(caller);
    if (!spendsFromMemory(services.rates, { principal, call, operation })) return undefined;
    call.onRecognised?.({ principal, catalog, tool: undefined });
    return new ReadScope(services, { call, principal, catalog });
  }

  #isLetIn(catalog: Catalog, caller: DeliveryCaller, address: string | null): boolean {
    const callers = this.#callers;
    if (!callers.mayHave(catalog, caller, 'rest')) return false;
    if (!callers.isAddressBound(catalog, caller)) return true;
    return callers.isWelcome(catalog, caller, { address, surface: 'rest' });
  }
}
