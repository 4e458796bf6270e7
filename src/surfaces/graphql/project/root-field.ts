import { GraphQLNonNull, type GraphQLFieldConfig, type GraphQLOutputType } from 'graphql';
import type { RequestReads } from '../reads/request-reads.js';
import { rootContracts, type RootArgument, type RootVerb } from '../system/root-contracts.js';
import { descriptionOf, inputTypeOf, unwrap } from '../system/zod-type.js';
import { presentRoot } from './present-root.js';

/** Input contained in the field name. */
type Given = Readonly<Record<string, string>>;

function argumentConfig({ inputKey, schema: declared }: RootArgument) {
  const { schema, isNullable, defaultValue } = unwrap(declared);
  const type = inputTypeOf(inputKey, schema);
  return {
    type: isNullable ? type : new GraphQLNonNull(type),
    description: descriptionOf(declared),
    ...(defaultValue !== undefined && { defaultValue }),
  };
}

const fillTemplate = (template: string, given: Given): string =>
  template.replace(/\{(\w+)\}/g, (_match, key: string) => given[key] ?? '');

export const rootFieldName = (verb: RootVerb, given: Given = {}): string =>
  fillTemplate(rootContracts[verb].meta.field, given);

/** Resolves through the contract's procedure. Null arguments count as absent. */
export function rootField(
  verb: RootVerb,
  type: GraphQLOutputType,
  given: Given = {},
): GraphQLFieldConfig<unknown, RequestReads, Readonly<Record<string, unknown>>> {
  const { meta, arguments: declared } = rootContracts[verb];
  const present = presentRoot[verb];
  return {
    type,
    description: fillTemplate(meta.description, given),
    args: Object.fromEntries(declared.map((argument) => [argument.name, argumentConfig(argument)])),
    extensions: { complexity: meta.complexity },
    resolve: async (_root, values, context) => {
      const input: Record<string, unknown> = { ...given };
      for (const { name, inputKey } of declared)
        if (values[name] !== undefined && values[name] !== null) input[inputKey] = values[name];
      return present((await context.read(verb, input)) as never, context);
    },
  };
}
