import { AppError } from '../../contracts/errors.js';
import type { Catalog } from '../content/catalog.js';
import { endClientKey } from '../features/access/api-keys/index.js';
import {
  exchangeCode,
  findClient,
  findCode,
  openRequest,
  projectOfKey,
  registerClient,
  type CodeOfClient,
  type ConsentServices,
  type KnownCode,
  type OAuthClient,
  type Registration,
} from '../features/access/oauth/oauth.js';
import { isUuid } from '../infrastructure/ids.js';
import type { UnitOfWork, WorkScope } from '../persistence/work/unit-of-work.js';
import { atAddress } from '../persistence/work/unit-of-work.js';
import { assertProjectAccess } from './admission.js';
import type { Call, OperationScope } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import { memberPrincipal } from './present-principal.js';
import { projectRefusal } from './project-access.js';
import { spendRate } from './rate.js';
import { platformScope, projectScope } from './scopes.js';
import type { Services } from './services.js';

/** URL of the service, which is the issuer; that of the request only if no other is known. */
export const issuerOf = ({ baseUrl }: Services, call: Call): string =>
  baseUrl === '' ? (call.origin?.() ?? '') : baseUrl;

/** Any member of the project. */
const entrance = { audience: 'management', resource: 'entries', action: 'read' } as const;

export const consentServices = (services: Services, { call }: OperationScope): ConsentServices => ({
  issuer: issuerOf(services, call),
  inProject: async (projectSlug, run) => {
    const request = { operation: entrance, projectSlug };
    const inDefault = { ...call, environment: undefined };
    const { principal, catalog } = await assertProjectAccess(services, inDefault, request);
    if (catalog === null) throw new AppError('project_not_found');
    const scope = projectScope(call, principal, catalog);
    return services.units.run({ scope, isReadOnly: true, lock: 'none' }, run);
  },
});

export interface AuthorizedCode extends CodeOfClient {
  readonly redirectUri?: string | undefined;
  /** Of the resource that the client names; null: it names none. */
  readonly projectSlug: string | null;
}

/** What has no session: registration, and the exchange and revocation of codes and keys by clients. */
export class AuthorizationServer {
  constructor(
    private readonly services: Services,
    private readonly call: Call,
  ) {}

  get issuer(): string {
    return issuerOf(this.services, this.call);
  }

  /** @throws AppError 429 `rate_limit_exceeded`: registrations count as logins of the address, other calls as anonymous ones */
  async spendRate(isRegistration: boolean): Promise<void> {
    const audience = isRegistration ? 'session' : 'account';
    const operation = { audience, resource: 'sessions', action: 'create' } as const;
    await spendRate(this.services.rates, { principal: { kind: 'anonymous' }, call: this.call, operation });
  }

  /** Undefined if a redirect URI is refused. */
  register(registration: Registration): Promise<OAuthClient | undefined> {
    return this.#write((work) => registerClient(work, registration));
  }

  async client(id: string): Promise<OAuthClient | undefined> {
    return isUuid(id) ? this.#read((work) => findClient(work, id)) : undefined;
  }

  /** The page on which the user decides; undefined if a value is malformed. */
  async request(request: Parameters<typeof openRequest>[1]): Promise<string | undefined> {
    const id = await this.#write((work) => openRequest(work, request));
    return id && `${this.issuer}/admin/oauth?requestId=${id}`;
  }

  /** Also of a code that was used. */
  async challenge(code: CodeOfClient): Promise<string | undefined> {
    return (await this.#read((work) => findCode(work, code)))?.codeChallenge;
  }

  /**
   * The key of a code whose verifier was right. Using a code again ends the key that it gave.
   * @returns undefined if the code is not valid, or its user may not enter the project
   */
  async exchange(given: AuthorizedCode): Promise<Awaited<ReturnType<typeof exchangeCode>> | undefined> {
    const known = await this.#read((work) => findCode(work, given));
    if (known === undefined) return undefined;
    const { clientId, redirectUri, projectSlug } = given;
    if (known.apiKeyId !== null) {
      await this.#end(known.apiKeyId, { clientId, projectSlug: known.choice.projectSlug });
      return undefined;
    }
    const isSame =
      (redirectUri ?? known.redirectUri) === known.redirectUri &&
      (projectSlug ?? known.choice.projectSlug) === known.choice.projectSlug;
    const scope = isSame ? await this.#scopeOf(known) : undefined;
    if (scope === undefined) return undefined;
    const request = { scope, isReadOnly: false, lock: 'schema' } as const;
    return this.#unlessRefused(() =>
      this.services.units.run(request, (work) => exchangeCode(work, clientId, known)),
    );
  }

  /** Unknown tokens, and keys of others, change nothing. */
  async revoke(clientId: string, token: string): Promise<void> {
    const key = await this.#unlessRefused(() => this.services.credentials.find(`Bearer ${token}`));
    if (key === undefined || key.holderId === null) return;
    const projectSlug = await this.#read((work) => projectOfKey(work, key.projectId));
    if (projectSlug !== undefined) await this.#end(key.id, { clientId, projectSlug });
  }

  /** Of the user of a code, in its project. */
  async #scopeOf({ userId, choice }: KnownCode): Promise<WorkScope | undefined> {
    const principal = await this.#unlessRefused(() =>
      memberPrincipal(this.services, userId, choice.projectSlug),
    );
    const catalog = await this.#catalog(choice.projectSlug);
    if (principal === undefined || catalog === undefined || projectRefusal(principal, catalog) !== undefined)
      return undefined;
    return projectScope(this.call, principal, catalog);
  }

  async #end(id: string, key: { readonly clientId: string; readonly projectSlug: string }): Promise<void> {
    const catalog = await this.#catalog(key.projectSlug);
    if (catalog === undefined) return;
    const scope = atAddress(platformScope(this.call), catalog.data);
    const request = { scope, isReadOnly: false, lock: 'schema' } as const;
    await mapDatabaseErrors(() =>
      this.services.units.run(request, (work) => endClientKey(work, { id, ...key })),
    );
  }

  #catalog(projectSlug: string): Promise<Catalog | undefined> {
    return this.services.catalogs.find(projectSlug, null);
  }

  async #unlessRefused<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await mapDatabaseErrors(run);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  }

  #read<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.#run(run, true);
  }

  #write<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.#run(run, false);
  }

  #run<T>(run: (work: UnitOfWork) => Promise<T>, isReadOnly: boolean): Promise<T> {
    const scope = platformScope(this.call);
    return mapDatabaseErrors(() => this.services.units.run({ scope, isReadOnly, lock: 'none' }, run));
  }
}
