import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputType,
} from 'graphql';
import type { FilterOperator } from '../../../../contracts/publishing/delivery/parameters.js';
import type { FieldDefinition } from '../../../content/catalog.js';
import { kindOf, type Comparison } from '../../../content/field-kinds/index.js';
import { systemKeys } from '../../../features/publishing/delivery/index.js';
import { describeField, type NamedContentType } from './naming.js';

/** `id` is that of an entry itself; null: values cannot be compared. */
type Compared = Comparison | 'id' | null;

const equality: readonly FilterOperator[] = ['eq', 'ne', 'in', 'nin'];
const order: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];
const ordered: ReadonlySet<Compared> = new Set(['string', 'number', 'date', 'time']);
const lists: ReadonlySet<FilterOperator> = new Set(['in', 'nin']);
const combinations: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const operatorTexts: Readonly<Record<FilterOperator, string>> = {
  eq: 'Equal to this.',
  ne: 'Not equal to this, or without a value.',
  in: 'Equal to one of these.',
  nin: 'Equal to none of these, or without a value.',
  gt: 'After this in their order.',
  gte: 'Equal to this, or after it.',
  lt: 'Before this in their order.',
  lte: 'Equal to this, or before it.',
  contains: 'With this as a part, in upper or lower case.',
  exists: 'Whether there is a value.',
};

interface ComparedKind {
  readonly type: GraphQLInputType;
  /** Begins the names of its inputs. */
  readonly name: string;
  readonly what: string;
}

const kinds: Readonly<Record<Exclude<Compared, null>, ComparedKind>> = {
  string: { type: GraphQLString, name: 'String', what: 'strings, which are ordered by code points' },
  number: { type: GraphQLFloat, name: 'Number', what: 'numbers' },
  boolean: { type: GraphQLBoolean, name: 'Boolean', what: 'booleans' },
  date: {
    type: GraphQLString,
    name: 'Date',
    what: 'dates such as 2026-03-01, and times as their date in UTC',
  },
  time: {
    type: GraphQLString,
    name: 'Time',
    what: 'times with an offset or Z, such as 2026-03-01T09:30:00Z',
  },
  link: { type: GraphQLID, name: 'Asset', what: 'assets by their id' },
  id: { type: GraphQLID, name: 'Id', what: 'ids' },
};

interface ComparedValue {
  readonly compared: Compared;
  readonly isList: boolean;
  /** Of a select field whose options are names. */
  readonly options?: GraphQLEnumType | undefined;
}

/** Options have no order. */
function operatorsOf({ compared, isList, options }: ComparedValue): FilterOperator[] {
  if (compared === null) return ['exists'];
  const hasContains = compared === 'string' || isList;
  return [
    ...equality,
    ...(ordered.has(compared) && options === undefined ? order : []),
    ...(hasContains ? (['contains'] as const) : []),
    'exists',
  ];
}

function operandOf(operator: FilterOperator, { compared, options }: ComparedValue): GraphQLInputType {
  if (operator === 'exists' || compared === null) return GraphQLBoolean;
  // A part of a text need not be an option.
  const type = operator === 'contains' ? kinds[compared].type : (options ?? kinds[compared].type);
  return lists.has(operator) ? new GraphQLList(new GraphQLNonNull(type)) : type;
}

const comparisonFields = (value: ComparedValue): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    operatorsOf(value).map((operator) => [
      operator,
      {
        type: operandOf(operator, value),
        description:
          operator === 'contains' && value.compared !== 'string'
            ? 'With this item.'
            : operatorTexts[operator],
      },
    ]),
  );

/** Media are links too, but not to entries. */
const refersToEntries = (field: FieldDefinition): boolean => kindOf(field).graphqlType === 'ContentEntry';

interface FilterParts {
  /** Sorted by name. */
  readonly named: readonly NamedContentType[];
  /** Names of other types. Those of inputs get the suffix `_` where they are taken. */
  readonly taken: ReadonlySet<string>;
  /** The enum of a select field, by the name of its type and its own. */
  readonly options: (typeName: string, field: FieldDefinition) => GraphQLEnumType | undefined;
}

/** Inputs that filter search by the fields of a content type, with the operators of `where` over REST (rule graphql/filters). */
class FilterInputs {
  readonly #taken: Set<string>;
  readonly #shared = new Map<string, GraphQLInputObjectType>();
  readonly #filters: ReadonlyMap<string, GraphQLInputObjectType>;

  constructor(private readonly parts: FilterParts) {
    this.#taken = new Set(parts.taken);
    this.#filters = new Map(parts.named.map((one) => [one.contentType.apiName, this.#filter(one)]));
  }

  /** One filter by the type that it names. */
  ofAnyType(): GraphQLInputObjectType {
    return new GraphQLInputObjectType({
      name: this.#claim('EntryFilter'),
      description: 'A filter of the entries of one content type.',
      isOneOf: true,
      fields: this.#byType(
        this.parts.named,
        (typeName) => `Find entries of the type ${typeName} that match.`,
      ),
    });
  }

  #claim(wanted: string): string {
    const name = this.#taken.has(wanted) ? `${wanted}_` : wanted;
    this.#taken.add(name);
    return name;
  }

  #share(
    name: string,
    description: string,
    fields: () => GraphQLInputFieldConfigMap,
  ): GraphQLInputObjectType {
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    const made = new GraphQLInputObjectType({ name: this.#claim(name), description, fields });
    this.#shared.set(name, made);
    return made;
  }

  #filter({ typeName, contentType }: NamedContentType): GraphQLInputObjectType {
    const own: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: this.#claim(`${typeName}Filter`),
      description: `A filter of ${typeName} entries. All its members have to match.`,
      fields: () => ({
        ...this.#systemFields(),
        ...Object.fromEntries(
          contentType.fields
            .filter(({ apiName }) => !combinations.has(apiName))
            .map((field) => [
              field.apiName,
              {
                type: this.#input(field, typeName),
                description: describeField(field),
              },
            ]),
        ),
        and: { type: new GraphQLList(new GraphQLNonNull(own)), description: 'All of these have to match.' },
        or: { type: new GraphQLList(new GraphQLNonNull(own)), description: 'One of these has to match.' },
        not: { type: own, description: 'This must not match.' },
      }),
    });
    return own;
  }

  #systemFields(): GraphQLInputFieldConfigMap {
    const texts = {
      _slug: 'Slug of the entry.',
      _id: 'Id of the entry.',
      _publishedAt: 'Time of the last publish.',
    };
    return Object.fromEntries(
      Object.entries(texts).map(([key, description]) => {
        const { comparison } = systemKeys[key as keyof typeof texts];
        return [key, { type: this.#comparison({ compared: comparison, isList: false }), description }];
      }),
    );
  }

  #input(field: FieldDefinition, typeName: string): GraphQLInputObjectType {
    if (refersToEntries(field)) return this.#reference(field, typeName);
    const { comparison: compared } = kindOf(field);
    const { isList } = field;
    const options = this.parts.options(typeName, field);
    return this.#comparison({ compared, isList, options });
  }

  #comparison(value: ComparedValue): GraphQLInputObjectType {
    const { compared, isList, options } = value;
    if (compared === null)
      return this.#share('ValueComparison', 'Values that are not compared.', () => comparisonFields(value));
    const { name: kind, what } = kinds[compared];
    const name = `${options?.name ?? kind}${isList ? 'List' : ''}Comparison`;
    const compares = options === undefined ? what : `options of ${options.name}`;
    const description = isList
      ? `Compares the items of a list of ${compares}. One item has to match, with \`ne\` and \`nin\` all of them.`
      : `Compares ${compares}. All its members have to match.`;
    return this.#share(name, description, () => comparisonFields(value));
  }

  /** Several filters are alternatives, because an entry has one type. */
  #reference(field: FieldDefinition, owner: string): GraphQLInputObjectType {
    const { isList, settings } = field;
    const apiNames = Array.isArray(settings.contentTypes) ? settings.contentTypes.map(String) : undefined;
    const targets = this.parts.named.filter(
      ({ contentType }) => apiNames?.includes(contentType.apiName) ?? true,
    );
    const [only] = targets;
    const single = targets.length === 1 ? only?.typeName : undefined;
    const of = apiNames === undefined ? 'Entry' : (single ?? `${owner}_${field.apiName}`);
    const description = `${isList ? 'References, of which one has to match' : 'A reference'}: by id, or by the fields of what it refers to, under the name of its type.`;
    const value = { compared: 'link', isList } as const;
    return this.#share(`${of}${isList ? 'References' : 'Reference'}Filter`, description, () => ({
      ...comparisonFields(value),
      ...this.#byType(targets, (typeName) => `Refers to a ${typeName} that matches the whole filter.`),
    }));
  }

  #byType(
    types: readonly NamedContentType[],
    describe: (typeName: string) => string,
  ): GraphQLInputFieldConfigMap {
    return Object.fromEntries(
      types.flatMap(({ typeName, contentType }) => {
        const type = this.#filters.get(contentType.apiName);
        return type === undefined ? [] : [[typeName, { type, description: describe(typeName) }]];
      }),
    );
  }
}

/** The input of a filter of search. Undefined without content types: an input has at least one member. */
export const entryFilter = (parts: FilterParts): GraphQLInputObjectType | undefined =>
  parts.named.length === 0 ? undefined : new FilterInputs(parts).ofAnyType();
