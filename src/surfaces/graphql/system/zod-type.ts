import 'reflect-metadata';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, InterfaceType, ObjectType } from 'type-graphql';
import { z } from 'zod';

interface Unwrapped {
  readonly schema: z.ZodType;
  readonly isNullable: boolean;
  readonly defaultValue?: unknown;
}

/** Removes `.optional()`, `.nullable()` and `.default()`. */
export function unwrap(schema: z.ZodType): Unwrapped {
  if (schema instanceof z.ZodDefault)
    return {
      ...unwrap(schema.unwrap() as z.ZodType),
      isNullable: true,
      defaultValue: schema.def.defaultValue,
    };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return { ...unwrap(schema.unwrap() as z.ZodType), isNullable: true };
  return { schema, isNullable: false };
}

/** Of the outermost wrapper with a description. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const { description } = schema.meta() ?? {};
  if (description !== undefined || !('unwrap' in schema)) return description;
  return descriptionOf((schema as z.ZodOptional<z.ZodType>).unwrap());
}

/** Matches `id`, `_id`, `_siteId`. */
const isIdKey = (key: string): boolean => /^_?id$|Id$/.test(key);

/** Bytes of a file, which can exceed the 32 bits of `Int`. */
const isByteCount = (key: string): boolean => key === 'size';

/** JSON for anything that is not a string, number or boolean. */
export function scalarOf(key: string, schema: z.ZodType): GraphQLScalarType {
  if (schema instanceof z.ZodBoolean) return GraphQLBoolean;
  if (schema instanceof z.ZodNumber) return schema.isInt && !isByteCount(key) ? GraphQLInt : GraphQLFloat;
  if (schema instanceof z.ZodEnum) return GraphQLString;
  if (schema.def.type === 'string') return isIdKey(key) ? GraphQLID : GraphQLString;
  return GraphQLJSON;
}

/** As {@link scalarOf}, with lists. */
export function inputTypeOf(key: string, schema: z.ZodType): GraphQLInputType {
  if (!(schema instanceof z.ZodArray)) return scalarOf(key, schema);
  return new GraphQLList(new GraphQLNonNull(scalarOf(key, schema.element as z.ZodType)));
}

export type SystemClass = new () => object;

interface SystemType {
  readonly name: string;
  readonly schema: z.ZodObject;
  /** Interface of entries; fields of this type cost as much as a reference. */
  readonly isInterface?: boolean;
  /** Descriptions of keys whose schema has none. */
  readonly texts?: Readonly<Record<string, string>>;
}

const REFERENCE_COMPLEXITY = 5;

/** Decorates a class per schema. A type precedes those that use it. */
export function systemClasses(types: readonly SystemType[]): SystemClass[] {
  const known = new Map<z.ZodType, { readonly target: SystemClass; readonly isInterface: boolean }>();
  for (const { name, schema, isInterface = false, texts = {} } of types) {
    const target = class {};
    const options = { description: descriptionOf(schema) ?? name };
    if (isInterface) InterfaceType(name, options)(target);
    else ObjectType(name, { ...options, simpleResolvers: true })(target);
    for (const [key, part] of Object.entries<z.ZodType>(schema.shape)) {
      const { schema: bare, isNullable: nullable } = unwrap(part);
      const linked = known.get(bare);
      const description = descriptionOf(part) ?? texts[key] ?? key;
      const type = linked?.target ?? scalarOf(key, bare);
      Field(() => type, { nullable, description })(target.prototype, key);
      if (linked?.isInterface === true)
        Extensions({ complexity: REFERENCE_COMPLEXITY })(target.prototype, key);
    }
    known.set(schema, { target, isInterface });
  }
  return [...known.values()].map(({ target }) => target);
}
