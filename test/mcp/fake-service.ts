import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnyRouter } from '@trpc/server';
import { registry } from '../../contracts/index.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { router } from '../../contracts/procedure.js';
import type { KeyAction, KeyType } from '../../contracts/access/api-keys/api-key.js';
import { toolsets, type Toolset } from '../../contracts/rights.js';
import { LiveChannel } from '../../src/infrastructure/live-channel.js';
import { formatSecret, hashSecret } from '../../src/access/key-secret.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import {
  boundOperations,
  KeyCredentials,
  type BoundOperation,
  type OperationScope,
  type Services,
} from '../../src/procedures/index.js';
import { createMcpHandler, type McpHandler } from '../../src/surfaces/mcp/handler.js';
import { listenerOf } from '../support/pipeline.js';

interface FakeCall {
  readonly input: Record<string, unknown>;
  readonly scope: OperationScope;
}
type FakeUseCase = (call: FakeCall) => unknown;
/** Use cases by registry name, such as `entries.get`. */
export type FakeUseCases = Readonly<Record<string, FakeUseCase>>;

interface Builder {
  readonly _def: { readonly meta: OperationMeta };
  query(
    resolve: (options: { ctx: { admission: OperationScope }; input: Record<string, unknown> }) => unknown,
  ): unknown;
  mutation: Builder['query'];
}

/** A router over every contract, resolved by the given use cases. */
export function fakeRouter(useCases: FakeUseCases = {}): AnyRouter {
  const groups = Object.entries(registry).map(([group, contracts]) => {
    const procedures = Object.entries(contracts).map(([verb, contract]) => {
      const builder = contract as unknown as Builder;
      const { openapi, action } = builder._def.meta;
      const isQuery = openapi === undefined ? action === 'read' : openapi.method === 'GET';
      const useCase = useCases[`${group}.${verb}`];
      const resolve: Parameters<Builder['query']>[0] = ({ ctx, input }) => {
        if (useCase === undefined) throw new Error(`${group}.${verb} has no fake`);
        return useCase({ input, scope: ctx.admission });
      };
      return [verb, isQuery ? builder.query(resolve) : builder.mutation(resolve)];
    });
    return [group, router(Object.fromEntries(procedures) as never)];
  });
  return router(Object.fromEntries(groups) as never);
}

export const fakeOperations = (useCases: FakeUseCases = {}): BoundOperation[] =>
  boundOperations(fakeRouter(useCases));

/** A key whose secret is derived from its type and name. */
export interface FakeKey {
  readonly name: string;
  readonly type: KeyType;
  readonly permissions?: readonly KeyAction[];
  readonly toolsets?: readonly Toolset[];
  readonly projectId?: string;
  readonly isRevoked?: boolean;
  readonly isExpired?: boolean;
}

export const secretOf = ({ type, name }: FakeKey): string => formatSecret(type, hashSecret(name));

/** The project `demo`; `revision` is that of its content model. */
interface FakeProject {
  revision: string;
  isActive: boolean;
}

/** Services without a database: keys and one project in memory. */
function fakeServices(keys: readonly FakeKey[], project: FakeProject): Services {
  const known = keys.map((key) => ({
    id: key.name,
    tenantId: 'tenant-1',
    projectId: 'project-1',
    permissions: [],
    siteIds: [],
    toolsets: [],
    environmentId: null,
    ipAllowlist: [],
    holderId: null,
    secretHash: hashSecret(secretOf(key)),
    expiresAt: key.isExpired === true ? new Date(0) : null,
    revokedAt: key.isRevoked === true ? new Date(0) : null,
    ...key,
  }));
  const catalog = () => ({
    data: {
      revision: project.revision,
      tenant: { id: 'tenant-1', isActive: project.isActive },
      project: { id: 'project-1', slug: 'demo' },
      environment: { id: 'environment-1', slug: 'main' },
      addressRules: { isEnabled: false, appliesTo: [], networks: [] },
    },
  });
  return {
    clock: () => new Date(),
    credentials: new KeyCredentials(
      {
        peek: () => undefined,
        byHash: (hash) => Promise.resolve(known.find((key) => key.secretHash.equals(hash)) as never),
      },
      () => new Date(),
    ),
    baseUrl: '',
    live: new LiveChannel(),
    keyUses: { record: () => undefined },
    keyUsage: { record: () => undefined },
    catalogs: {
      peek: () => undefined,
      find: (slug: string) => Promise.resolve(slug === 'demo' ? catalog() : undefined),
    },
  } as unknown as Services;
}

export interface FakeEndpoint {
  /** With all toolsets. */
  readonly url: string;
  /** With the default tools. */
  readonly plainUrl: string;
  readonly handler: McpHandler;
  readonly project: FakeProject;
  close(): Promise<void>;
}

const projectOf = (url: string): string => new URL(url, 'http://localhost').pathname.split('/').at(-1) ?? '';

/** Serves `/api/mcp/{projectSlug}` on a free port. */
export async function serveFake(options: {
  keys: readonly FakeKey[];
  useCases?: FakeUseCases;
  allowedOrigins?: string[];
}): Promise<FakeEndpoint> {
  const project: FakeProject = { revision: '1', isActive: true };
  const handler = createMcpHandler({
    services: fakeServices(options.keys, project),
    operations: fakeOperations(options.useCases),
    logger: createLogger('silent'),
    allowedOrigins: options.allowedOrigins ?? [],
    version: '1.2.3',
  });
  const server: Server = createServer(
    listenerOf((exchange) => handler.handle(exchange, projectOf(exchange.request.url ?? ''))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const plainUrl = `http://127.0.0.1:${port}/api/mcp/demo`;
  return {
    plainUrl,
    url: `${plainUrl}?toolsets=${toolsets.join()}`,
    handler,
    project,
    close: () =>
      new Promise((resolve) => {
        handler.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
