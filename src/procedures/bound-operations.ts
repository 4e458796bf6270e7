import { callTRPCProcedure, type AnyProcedure, type AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import type { OperationMeta } from '../../contracts/operation.js';
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

/** Every procedure of a router, in the registry's order. */
export function boundOperations(router: AnyRouter): BoundOperation[] {
  return Object.entries(router._def.procedures as Record<string, AnyProcedure>).map(([name, procedure]) => {
    const { meta, inputs, output, type } = procedure._def as unknown as {
      meta: OperationMeta;
      inputs: z.ZodObject[];
      output: z.ZodType;
      type: 'query' | 'mutation';
    };
    const [input] = inputs;
    if (input === undefined) throw new Error(`${name} has no input schema`);
    return {
      name,
      kind: type,
      meta,
      input,
      output,
      call: (context, value) =>
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
