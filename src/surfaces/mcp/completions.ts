import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { toAppError } from '../../../contracts/procedure.js';
import { CallContext, type BoundOperation } from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { prompts, type CompletedKind } from './prompts.js';
import { RpcFailure, rpcCodes, rpcFailureOf } from './rpc-failure.js';
import { CONTENT_TYPE_TEMPLATE } from './resources.js';
import type { AgentSession } from './session.js';

/** The protocol allows no more. */
const VALUES = 100;

interface Source {
  /** Name of the read that lists what exists. */
  readonly list: string;
  /** The key whose value is offered. */
  readonly value: string;
  /** How the list is filtered by what is typed; values that start with it are offered otherwise. */
  readonly filter?: (typed: string) => object;
}

const sources: Readonly<Record<CompletedKind, Source>> = {
  contentType: { list: 'contentTypes.list', value: 'apiName' },
  site: { list: 'sites.list', value: 'slug' },
  locale: { list: 'locales.list', value: 'code' },
  // People type a title; the value is the id.
  entry: { list: 'entries.list', value: 'id', filter: (typed) => (typed === '' ? {} : { q: typed }) },
};

type Params = CompleteRequest['params'];

/** What the values of an argument are; undefined if nothing is known of it. @throws RpcFailure −32602 */
function kindOf({ ref, argument }: Params): CompletedKind | undefined {
  if (ref.type === 'ref/resource') {
    if (ref.uri === CONTENT_TYPE_TEMPLATE && argument.name === 'apiName') return 'contentType';
    throw new RpcFailure(rpcCodes.invalidParams, 'There is no such resource template or parameter.');
  }
  const prompt = prompts.find(({ name }) => name === ref.name);
  const found = prompt?.arguments.find(({ name }) => name === argument.name);
  if (found === undefined)
    throw new RpcFailure(rpcCodes.invalidParams, 'There is no such prompt or argument.');
  return found.kind;
}

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const pagingOf = ({ input }: BoundOperation): object =>
  'page' in input.shape ? { page: 1, limit: VALUES } : {};

/**
 * Values of an argument that exist, by what was typed.
 * @throws RpcFailure −32602 for an unknown reference; else with `data.error`, such as `api_key_permission_denied`
 */
export async function complete(params: Params, session: AgentSession): Promise<CompleteResult> {
  const kind = kindOf(params);
  const typed = params.argument.value;
  const source = kind && sources[kind];
  const operation = session.operations.find(({ name }) => name === source?.list);
  if (source === undefined || operation === undefined) return { completion: { values: [] } };
  const { services, call, projectSlug, logger } = session;
  const input = { projectSlug, ...pagingOf(operation), ...source.filter?.(typed) };
  try {
    const { data } = (await operation.call(new CallContext(services, call), input)) as Listed;
    const values = data.map((item) => String(item[source.value]));
    const matching = source.filter ? values : values.filter((value) => value.startsWith(typed)).sort();
    return { completion: { values: matching.slice(0, VALUES), hasMore: data.length === VALUES } };
  } catch (error) {
    throw rpcFailureOf(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
