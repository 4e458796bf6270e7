import type { z } from 'zod';
import type { OperationMeta } from '../../../contracts/index.js';
import { unwrapped, type Shape } from './property.js';

/** An operation as the contracts describe it. */
export interface Contract {
  readonly _def: {
    readonly meta?: OperationMeta;
    readonly inputs: readonly unknown[];
    readonly output?: unknown;
  };
}

export const inputOf = (contract: Contract): z.ZodObject => contract._def.inputs[0] as z.ZodObject;

/** Of `data`, or of its items if it is a list. */
export function resultShape({ _def }: Contract): Shape {
  const { data } = (_def.output as z.ZodObject).shape as Shape;
  if (data === undefined) return {};
  const { element = data } = unwrapped(data);
  return unwrapped(element).shape ?? {};
}

/** Keys of `data` that are returned once. */
export const secretKeys = ({ _def }: Contract): string[] =>
  Object.keys(_def.meta?.secrets?.output ?? {}).flatMap((path) =>
    path.startsWith('data.') ? [path.slice('data.'.length)] : [],
  );
