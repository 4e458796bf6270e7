import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { fc } from '../support/properties.js';

/** A number from 0 to below the given one. */
export type Choose = (below: number) => number;

/** Choices that fast-check makes, and makes smaller when a test fails; 0 after the last. */
export const choices: fc.Arbitrary<Choose> = fc
  .array(fc.nat(1_000_000), { minLength: 40, maxLength: 400, size: 'max' })
  .map((numbers) => {
    let at = -1;
    return (below) => (numbers[(at += 1)] ?? 0) % below;
  });

const MAXIMUM_DEPTH = 4;

/** Texts of values to choose from, by the name of the argument. */
export type ArgumentTexts = Readonly<Record<string, readonly string[]>>;

export interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, boolean>>;
}

/** Fields that queries leave out. */
type LeftOut = ReadonlySet<string>;

interface QueryRules {
  readonly given?: ArgumentTexts;
  readonly leftOut?: LeftOut;
}

/** Writes valid queries of a schema: aliases, fragments of both kinds, conditions, and repeated fields. */
class QueryWriter {
  readonly #fragments: string[] = [];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly rules: QueryRules,
    private readonly choose: Choose,
  ) {}

  write(): RandomQuery {
    const query = this.schema.getQueryType();
    if (!query) throw new Error('The schema has no queries');
    const body = this.#set(query, 0);
    return {
      query:
        `query ($yes: Boolean!, $no: Boolean!) ${body} ${this.#fragments.join(' ')} fragment use on Query { __typename @include(if: $yes) @skip(if: $no) }`.replace(
          '{',
          '{ ...use ',
        ),
      variables: { yes: this.choose(2) === 0, no: this.choose(2) === 0 },
    };
  }

  #set(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: 1 + this.choose(4) }, () => this.#selection(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const kind = this.choose(10);
    if (kind === 0) return '__typename';
    if (kind === 1) return `...${this.#condition()} ${this.#set(type, depth)}`;
    if (isAbstractType(type) && kind < 7) return this.#ofMember(type, depth);
    const fields = isObjectType(type) || 'getFields' in type ? Object.values(type.getFields()) : [];
    const usable = fields.filter(
      ({ name, type: own }) =>
        this.rules.leftOut?.has(name) !== true &&
        (depth < MAXIMUM_DEPTH || !isCompositeType(getNamedType(own))),
    );
    const field = usable[this.choose(Math.max(1, usable.length))];
    return field === undefined ? '__typename' : this.#field(field, depth);
  }

  #ofMember(
    type: GraphQLCompositeType & Parameters<GraphQLSchema['getPossibleTypes']>[0],
    depth: number,
  ): string {
    const members = this.schema.getPossibleTypes(type);
    const member = members[this.choose(members.length)];
    if (member === undefined) return '__typename';
    return this.choose(3) === 0
      ? this.#spread(member, depth)
      : `... on ${member.name}${this.#condition()} ${this.#set(member, depth)}`;
  }

  #spread(type: GraphQLObjectType, depth: number): string {
    const set = this.#set(type, depth);
    const name = `part${String(this.#fragments.length)}`;
    this.#fragments.push(`fragment ${name} on ${type.name} ${set}`);
    return `...${name}${this.#condition()}`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const values = this.#arguments(field.args);
    const alias = values === '' && this.choose(4) > 0 ? '' : `a${String(this.choose(50))}${field.name}: `;
    const set = isCompositeType(getNamedType(field.type))
      ? ` ${this.#set(getNamedType(field.type) as GraphQLCompositeType, depth + 1)}`
      : '';
    return `${alias}${field.name}${values}${this.#condition()}${set}`;
  }

  #arguments(declared: readonly GraphQLArgument[]): string {
    const values = declared.flatMap(({ name, type, defaultValue }) => {
      const isNeeded = isNonNullType(type) && defaultValue === undefined;
      const texts = this.rules.given?.[name] ?? [];
      if (texts.length === 0 || (!isNeeded && this.choose(3) === 0)) return [];
      return [`${name}: ${texts[this.choose(texts.length)] ?? ''}`];
    });
    return values.length === 0 ? '' : `(${values.join(', ')})`;
  }

  #condition(): string {
    return (
      ['', '', '', '', ' @include(if: $yes)', ' @skip(if: $no)', ' @include(if: true)'][this.choose(7)] ?? ''
    );
  }
}

export const randomQuery = (schema: GraphQLSchema, rules: QueryRules, choose: Choose): RandomQuery =>
  new QueryWriter(schema, rules, choose).write();
