import { callTRPCProcedure, type AnyProcedure, type AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { invalidInput } from '../../contracts/errors.js';
import { issuesOf } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import type { OperationScope } from './call.js';
import type { CallContext } from './call-context.js';

/** One bound procedure as a surface sees it: its metadata, its schemas, and a way to call it. */
export interface BoundOperation {
  /** `entries.publish`: the name in the registry. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly meta: OperationMeta;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** @throws TRPCError; `toAppError` reads it */
  call(context: CallContext, input: unknown): Promise<unknown>;
  /**
   * Runs it for a call that was admitted.
   * @throws AppError, also 422 `validation_failed`
   */
  run(admission: OperationScope, input: unknown): Promise<unknown>;
}

type Resolver = (call: { ctx: { admission: OperationScope }; input: unknown }) => Promise<unknown>;

/** What a procedure consists of. */
interface ProcedureParts {
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  readonly resolver: Resolver;
}

/** Runs a procedure as tRPC does, without what only tRPC's transport needs. */
function runner({ input, output, resolver }: ProcedureParts, checksAnswers: boolean): BoundOperation['run'] {
  return async (admission, value) => {
    const parsed = input.safeParse(value);
    if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    const answer = await resolver({ ctx: { admission }, input: parsed.data });
    return checksAnswers ? output.parse(answer) : answer;
  };
}

/**
 * Every procedure of a router, in the registry's order.
 * @param options whether outputs of delivery are validated, too; production does without, since tests check each of them
 */
export function boundOperations(
  router: AnyRouter,
  { checksAnswers }: { readonly checksAnswers: boolean } = { checksAnswers: true },
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
    const run = runner({ input, output, resolver }, checksAnswers || !isDelivery);
    return {
      name,
      kind: type,
      meta,
      input,
      output,
      run,
      call:
        isDelivery && !checksAnswers
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
