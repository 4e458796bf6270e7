import type { OperationScope } from './call.js';

/** `PUBLIC_BASE_URL`, or what the request names: callers choose the `Host` header, so others must not receive it. */
export function serviceOrigin({ services, call, trace }: OperationScope): string {
  if (services.publicBaseUrl !== undefined) return services.publicBaseUrl;
  trace.markUnstored();
  return call.origin?.() ?? services.baseUrl;
}
