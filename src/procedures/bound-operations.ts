import { callTRPCProcedure, type AnyProcedure, type AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { invalidInput, issuesOf } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import type { CallContext } from './call-context.js';
import type { OperationScope } from './call.js';

export interface BoundOperation {
  /** Name in the registry: `entries.publish`. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly meta: OperationMeta;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** @throws TRPCError, see `toAppError` */
  call(context: Pick<CallContext, 'admit'>, input: unknown): Promise<unknown>;
  /**
   * Runs an admitted call.
   * @throws AppError, also 422 `validation_failed`
   */
  run(admission: OperationScope, input: unknown): Promise<unknown>;
}

type Resolver = (call: { ctx: { admission: OperationScope }; input: unknown }) => Promise<unknown>;

interface ProcedureParts {
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  readonly resolver: Resolver;
}

/** Runs a procedure like tRPC, without its transport. Delivery returns its output as it is, checked or not. */
function createRunner(
  { input, output, resolver }: ProcedureParts,
  validation: 'parses' | 'checks' | 'trusts',
): BoundOperation['run'] {
  return async (admission, value) => {
    const parsed = input.safeParse(value);
    if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    const result = await resolver({ ctx: { admission }, input: parsed.data });
    if (validation === 'trusts') return result;
    const valid = output.parse(result);
    return validation === 'parses' ? valid : result;
  };
}

/**
 * Every procedure of a router, in the order of the registry.
 * @param options `validatesOutput`: whether outputs of delivery are validated; only tests do so
 */
export function boundOperations(
  router: AnyRouter,
  { validatesOutput }: { readonly validatesOutput: boolean } = { validatesOutput: true },
): BoundOperation[] {
  return Object.entries(router._def.procedures as Record<string, AnyProcedure>).map(([name, procedure]) => {
    const { meta, inputs, output, type, resolver } = procedure._def as unknown as {
      meta: OperationMeta;
      inputs: z.ZodObject[];
      output: z.ZodType;
      type: 'query' | 'mutation';
      resolver: Resolver;
    };
    const [input] = inputs;
    if (input === undefined) throw new Error(`${name} has no input schema`);
    const isDelivery = meta.audience === 'delivery';
    const validation = !isDelivery ? 'parses' : validatesOutput ? 'checks' : 'trusts';
    const run = createRunner({ input, output, resolver }, validation);
    return {
      name,
      kind: type,
      meta,
      input,
      output,
      run,
      call:
        isDelivery && !validatesOutput
          ? async (context, value) => run(await context.admit(meta, value), value)
          : (context, value) =>
              callTRPCProcedure({
                router,
                path: name,
                type,
                ctx: context,
                getRawInput: () => Promise.resolve(value),
                signal: undefined,
                batchIndex: 0,
              }),
    };
  });
}
