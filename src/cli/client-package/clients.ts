import type { ContentTypeMap, TypedReads } from './content.js';
import { deliveryRoutes, managementRoutes, type OperationRoutes } from './operation-routes.js';
import type { FileOperation, Inputs, Outputs } from './operations.js';
import { ServiceCalls, type CallOptions, type ClientOptions } from './service-calls.js';

type Without<Input, Key extends string> = Input extends unknown ? Omit<Input, Key> : never;

type Arguments<Input> = object extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

type Item<Output> = Output extends { data: readonly (infer One)[] } ? One : never;

/** A call of one operation. */
export interface Operation<Input, Output> {
  /** @throws HeadwaterError */
  (...given: Arguments<Input>): Promise<Output>;
  /** The items of all pages, which are read when they are needed. They have no `page`, `skip` or `cursor`. */
  all: (...given: Arguments<Input>) => AsyncGenerator<Item<Output>, void, undefined>;
}

type DeliveryOperations = {
  readonly [Name in keyof Inputs['delivery']]: Operation<
    Without<Inputs['delivery'][Name], 'projectSlug' | 'siteSlug'>,
    Outputs['delivery'][Name]
  >;
};

/** @typeParam Types content types of the project; without any, the fields of entries are unknown values */
export type DeliveryClient<Types = undefined> = [keyof Types] extends [never]
  ? DeliveryOperations
  : Types extends ContentTypeMap
    ? Omit<DeliveryOperations, keyof TypedReads<Types>> & TypedReads<Types>
    : DeliveryOperations;

type Verbs<Group extends keyof Inputs> = {
  readonly [
    Verb in keyof Inputs[Group] & keyof Outputs[Group] as `${Group}.${Verb & string}` extends FileOperation
      ? never
      : Verb
  ]: Operation<Without<Inputs[Group][Verb], 'projectSlug'>, Outputs[Group][Verb]>;
};

export type ManagementClient = {
  readonly [Group in Exclude<keyof Inputs, 'delivery'>]: Verbs<Group>;
};

interface Page {
  readonly data: readonly unknown[];
  readonly meta?: {
    readonly nextCursor?: string | null;
    readonly hasMore?: boolean;
    readonly page?: number;
    readonly pages?: number;
  };
}

type Given = Readonly<Record<string, unknown>>;

/** Lists with cursors are read by them, so that nothing is skipped or repeated while the list changes. */
async function* itemsOf(
  call: (place: Given) => Promise<unknown>,
  cursor: string | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for (let place: Given = cursor === undefined ? {} : { cursor }; ;) {
    const { data, meta } = (await call(place)) as Page;
    yield* data;
    const { nextCursor, hasMore, page, pages } = meta ?? {};
    if (typeof nextCursor === 'string' && hasMore !== false) place = { cursor: nextCursor };
    else if (nextCursor === undefined && page !== undefined && page < (pages ?? 0))
      place = { page: page + 1 };
    else return;
  }
}

function operation(calls: ServiceCalls, route: string): unknown {
  const call = (input: Given = {}, options: CallOptions = {}) => calls.call(route, input, options);
  const [, , first] = route.split(' ');
  const all = (input: Given = {}, options: CallOptions = {}) =>
    itemsOf((place) => calls.call(route, { ...input, ...place }, options), first);
  return Object.assign(call, { all });
}

const group = (calls: ServiceCalls, routes: OperationRoutes[string] = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(routes).map(([verb, route]) => [verb, operation(calls, route)]));

export interface DeliveryOptions extends ClientOptions {
  /** Slug of the site. */
  readonly site: string;
}

/**
 * Reads what a site shows: `client.listContent({ contentTypeApiName: 'article' })`. With a preview key, drafts.
 * The methods are the operations of the group `delivery`. With the `ContentTypes` of `headwater types --rest` entries
 * have the types of the project.
 */
export function createDeliveryClient<Types = undefined>({
  site,
  ...options
}: DeliveryOptions): DeliveryClient<Types> {
  const calls = new ServiceCalls(options, { projectSlug: options.project, siteSlug: site });
  return group(calls, deliveryRoutes.delivery) as unknown as DeliveryClient<Types>;
}

/** Changes content and configuration: `client.entries.create({ … })`. The methods are the operations by group. */
export function createManagementClient(options: ClientOptions): ManagementClient {
  const calls = new ServiceCalls(options, { projectSlug: options.project });
  const groups = Object.keys(managementRoutes).map((name) => [name, group(calls, managementRoutes[name])]);
  return Object.fromEntries(groups) as ManagementClient;
}
