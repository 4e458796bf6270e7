import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../procedures/app-router.js';
import { authorizedFetch } from './authorized-fetch.js';
import { apiOrigin } from './origin.js';

export type Outputs = inferRouterOutputs<AppRouter>;

/** What the service accepts in one request. */
const CALLS_PER_REQUEST = 50;
const URL_LENGTH = 6000;

let environment: string | undefined;

/** The environment that later calls use; results of another one are forgotten. */
export function enterEnvironment(slug: string): void {
  if (environment === slug) return;
  if (environment !== undefined) queryClient.clear();
  environment = slug;
}

/** Whether the results that are kept are those of an environment. */
export const isEntered = (slug: string): boolean => environment === slug;

const environmentHeaders = (): Record<string, string> =>
  environment === undefined ? {} : { 'X-Environment': environment };

const service = {
  url: `${apiOrigin}/api/trpc`,
  fetch: (url: unknown, options?: unknown) => authorizedFetch(url as string, options as RequestInit),
};

export const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      ...service,
      maxItems: CALLS_PER_REQUEST,
      maxURLLength: URL_LENGTH,
      headers: environmentHeaders,
    }),
  ],
});

/**
 * For work that goes on in its environment when the user has entered another one. Each call is one request.
 * @param options `isLasting`: calls arrive though the page is left
 */
export const clientIn = (slug: string, { isLasting = false } = {}) =>
  createTRPCClient<AppRouter>({
    links: [
      httpLink({
        ...service,
        fetch: (url, options) =>
          authorizedFetch(url as string, {
            ...(options as RequestInit),
            ...(isLasting && { keepalive: true }),
          }),
        headers: { 'X-Environment': slug },
      }),
    ],
  });

/** Refusals are final; what did not arrive or failed in the service is tried twice more. */
function isWorthRetrying(attempts: number, error: unknown): boolean {
  const status =
    error instanceof TRPCClientError ? (error.data as { httpStatus?: number } | null)?.httpStatus : undefined;
  return attempts < 2 && (status === undefined || status >= 500 || status === 429);
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5000, retry: isWorthRetrying } },
});

export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
