import { toAppError } from '../../contracts/procedure.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import type { Call, IdentifiedCaller } from './call.js';
import type { Services } from './services.js';

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
export function countCall({ services, call, caller, operation }: KeyCall, failure?: unknown): void {
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
