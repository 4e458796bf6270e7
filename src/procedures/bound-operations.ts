import { callTRPCProcedure, type AnyProcedure, type AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { invalidInput } from '../../contracts/errors.js';
import { issuesOf, type OperationMeta } from '../../contracts/operation.js';
import type { OperationScope } from './call.js';
import type { CallContext } from './gate.js';

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
}

type Resolver = (call: { ctx: { admission: OperationScope }; input: unknown }) => Promise<unknown>;

/**
 * Calls a procedure as tRPC does, without what only its own transport needs, and without holding the answer against
 * its contract: delivery presents exactly what it promises, which tests check on every answer.
 */
function directly({
  meta,
  input,
  resolver,
}: {
  readonly meta: OperationMeta;
  readonly input: z.ZodObject;
  readonly resolver: Resolver;
}): BoundOperation['call'] {
  return async (context, value) => {
    const admission = await context.admit(meta, value);
    const parsed = input.safeParse(value);
    if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    return resolver({ ctx: { admission }, input: parsed.data });
  };
}

/**
 * Every procedure of a router, in the registry's order.
 * @param options whether answers of delivery are held against their contracts
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
    return {
      name,
      kind: type,
      meta,
      input,
      output,
      call:
        meta.audience === 'delivery' && !checksAnswers
          ? directly({ meta, input, resolver })
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
