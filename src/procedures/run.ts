import { AppError } from '../../contracts/errors.js';
import type { Admission } from '../../contracts/procedure.js';
import { seesDrafts } from '../access/principal.js';
import type { SessionTokens } from '../access/session-token.js';
import {
  TracedDocuments,
  tracedRoutes,
  tracedSitemap,
  type DeliveryRead,
} from '../features/delivery/index.js';
import type { PreviewServices } from '../features/previews/index.js';
import type { RunPart, WebhookServices } from '../features/webhooks/index.js';
import { Rehearsal, type UnitOfWork, type WorkLock } from '../persistence/work/unit-of-work.js';
import type { OperationScope } from './call.js';
import { draftsOf } from './draft-read.js';
import { mapDatabaseErrors } from './failures.js';
import { loginAttempts } from './rate.js';
import { runOnce, runOnceApart } from './run-once.js';
import { previewRead } from './preview-read.js';

type UseCase<I, O> = (work: UnitOfWork, input: I) => Promise<O>;
type Resolver<I, O> = (call: { ctx: { admission: Admission }; input: I }) => Promise<O>;

/** The gate makes every admission, so the full scope is always behind it. */
const scopeOf = (admission: Admission): OperationScope => admission as OperationScope;

function resolver<I, O>(useCase: UseCase<I, O>, isReadOnly: boolean, lock: WorkLock): Resolver<I, O> {
  return ({ ctx, input }) => {
    const { services, work, mode } = scopeOf(ctx.admission);
    const request = { scope: work, isReadOnly, lock, rehearsal: mode.rehearsal };
    const run = (unit: UnitOfWork): Promise<O> => useCase(unit, input);
    const { idempotency: call } = mode;
    if (call === undefined || isReadOnly) return mapDatabaseErrors(() => services.units.run(request, run));
    return mapDatabaseErrors(() => runOnce(services, request, { call, run }));
  };
}

/** Binds a use case that only reads: a read-only transaction. */
export const runQuery = <I, O>(useCase: UseCase<I, O>): Resolver<I, O> => resolver(useCase, true, 'none');

/** Binds a use case that finds out what a write would meet: run as one, then rolled back, so that nothing is kept. */
export const runTrial =
  <I, O>(useCase: UseCase<I, O>): Resolver<I, O> =>
  ({ ctx, input }) => {
    const { services, work } = scopeOf(ctx.admission);
    const request = { scope: work, isReadOnly: false, lock: 'content', rehearsal: new Rehearsal() } as const;
    return mapDatabaseErrors(() => services.units.run(request, (unit) => useCase(unit, input)));
  };

/** Binds a use case that writes content: content types stand still meanwhile. */
export const runMutation = <I, O>(useCase: UseCase<I, O>): Resolver<I, O> =>
  resolver(useCase, false, 'content');

/** Binds a use case that changes what content is: alone in its project. */
export const runSchemaMutation = <I, O>(useCase: UseCase<I, O>): Resolver<I, O> =>
  resolver(useCase, false, 'schema');

/** What a delivery read works with: drafts for those who may see them, unless they ask for what is published. */
export function deliveryRead(
  scope: OperationScope,
  wantsDrafts: boolean = seesDrafts(scope.principal),
): DeliveryRead {
  const { catalog, services, trace } = scope;
  if (catalog === null) throw new Error('delivery outside a project');
  if (seesDrafts(scope.principal)) trace.markPreview();
  const source = wantsDrafts
    ? draftsOf(scope, catalog)
    : services.publishedDocuments(catalog.data.environment.id);
  const { id } = catalog.data.environment;
  const { maxReferenceDepth } = services;
  return {
    catalog,
    source: new TracedDocuments(source, trace),
    trace,
    // Made where they are wanted: most reads want neither.
    get routes() {
      return tracedRoutes(services.routes(id), trace);
    },
    get sitemap() {
      return tracedSitemap(services.sitemaps(id), trace);
    },
    maxReferenceDepth,
  };
}

/** Binds a delivery use case: no transaction of its own, prepared reads on the read model. */
export const runDelivery =
  <I, O>(useCase: (read: DeliveryRead, input: I) => Promise<O>): Resolver<I, O> =>
  ({ ctx, input }) =>
    mapDatabaseErrors(() => useCase(deliveryRead(scopeOf(ctx.admission)), input));

/** Binds a delivery use case that shows a draft to who sends a preview token for it. */
export const runPreviewable =
  <I extends { previewToken?: string | undefined }, O>(
    useCase: (read: DeliveryRead, input: I) => Promise<O>,
  ): Resolver<I, O> =>
  ({ ctx, input }) => {
    const scope = scopeOf(ctx.admission);
    const { previewToken: token } = input;
    if (token === undefined) return mapDatabaseErrors(() => useCase(deliveryRead(scope), input));
    return mapDatabaseErrors(async () => useCase(await previewRead(scope, token), input));
  };

/** Binds the use case that makes preview links, which alone signs them. */
export const runPreviewLink =
  <I, O>(useCase: (work: UnitOfWork, input: I, services: PreviewServices) => Promise<O>): Resolver<I, O> =>
  (call) => {
    const { services } = scopeOf(call.ctx.admission);
    return resolver<I, O>((work, input) => useCase(work, input, services), false, 'content')(call);
  };

/** Binds a use case that writes webhooks, whose secrets are kept encrypted and whose targets are checked. */
export const runWebhookMutation =
  <I, O>(useCase: (work: UnitOfWork, input: I, services: WebhookServices) => Promise<O>): Resolver<I, O> =>
  (call) => {
    const { webhooks } = scopeOf(call.ctx.admission).services;
    return resolver<I, O>((work, input) => useCase(work, input, webhooks), false, 'schema')(call);
  };

/** Binds the use case that calls a webhook's target: between its transactions, never within one. */
export const runWebhookCall =
  <I, O>(useCase: (inPart: RunPart, input: I, services: WebhookServices) => Promise<O>): Resolver<I, O> =>
  ({ ctx, input }) => {
    const { services, work, mode } = scopeOf(ctx.admission);
    const inPart: RunPart = (run) =>
      services.units.run({ scope: work, isReadOnly: false, lock: 'none' }, run);
    const run = (): Promise<O> => useCase(inPart, input, services.webhooks);
    const { idempotency: call } = mode;
    return mapDatabaseErrors(() => (call ? runOnceApart(services, { scope: work }, { call, run }) : run()));
  };

type SessionUseCase<I, O> = (work: UnitOfWork, input: I, tokens: SessionTokens) => Promise<O | AppError>;

/** Binds a use case that issues tokens. What it refuses by an answer is refused after its changes stand. */
export const runSession =
  <I, O>(useCase: SessionUseCase<I, O>): Resolver<I, O> =>
  async (call) => {
    const { tokens } = scopeOf(call.ctx.admission).services;
    const answer = await resolver<I, O | AppError>(
      (work, input) => useCase(work, input, tokens),
      false,
      'none',
    )(call);
    if (answer instanceof AppError) throw answer;
    return answer;
  };

/** Binds the login, whose failures are counted for the account, whether it exists or not. */
export const runLogin =
  <I extends { email: string }, O>(useCase: SessionUseCase<I, O>): Resolver<I, O> =>
  async (call) => {
    const { services, call: origin } = scopeOf(call.ctx.admission);
    const attempts = loginAttempts(services.rates, origin, call.input.email);
    await attempts.begin();
    const answer = await runSession(useCase)(call);
    await attempts.succeed();
    return answer;
  };
