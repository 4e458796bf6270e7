import { STEP, withParts, type PartVisit } from './schema-forms.js';
import { type SchemaObject, type Schemas } from './types.js';

/** Schemas that are shorter as JSON are written where they are used: a reference saves nothing. */
const SHORTEST = 40;

/** A string without what is said about it: several keys have the same values. */
function valuesOf({
  description,
  examples,
  default: usual,
  ...values
}: SchemaObject): [SchemaObject, SchemaObject] {
  const said = Object.entries({ description, examples, default: usual }).filter(
    ([, one]) => one !== undefined,
  );
  return [values.type === 'string' ? values : {}, Object.fromEntries(said)];
}

const nameFor = (hint: string): string => {
  const letters = hint.replace(/[^A-Za-z0-9]/g, '');
  return `${letters.charAt(0).toUpperCase()}${letters.slice(1)}`;
};

interface Taken {
  has(name: string): boolean;
}

/** The first free name of `name`, `name2`, … */
export function freeName(name: string, taken: Taken): string {
  let found = name;
  for (let next = 2; taken.has(found); next += 1) found = `${name}${String(next)}`;
  return found;
}

/** The name of the property, after that of its owner or of what is between if it is taken. */
function wordsFor(place: string, taken: Taken): string {
  const steps = place.split(STEP).filter(Boolean).map(nameFor);
  const last = steps.at(-1) ?? '';
  const owner = (steps.at(0) ?? '').replace(/(Body|Result)$/, '');
  const choices = [last, ...(steps.length > 1 ? [`${owner}${last}`, steps.slice(-2).join('')] : [])];
  const names = [...choices, `${choices.at(-1) ?? ''}Value`];
  return names.find((name) => !taken.has(name)) ?? freeName(steps.join(''), taken);
}

/** Names schemas that are written more than once. */
export class SharedSchemas {
  readonly #uses = new Map<string, { count: number; hint: string }>();
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor(private readonly schemas: Schemas) {
    this.#taken = new Set(Object.keys(schemas));
    for (const [name, schema] of Object.entries(schemas)) this.#names.set(JSON.stringify(schema), name);
  }

  /** Counts a schema and, at its first use, its parts. */
  readonly count: PartVisit = (schema, hint) => {
    const key = JSON.stringify(schema);
    const known = this.#uses.get(key);
    if (known !== undefined) {
      known.count += 1;
      // One of several alternatives is named after a place where it stands alone.
      if (known.hint.endsWith(STEP)) known.hint = hint;
    } else {
      this.#uses.set(key, { count: 1, hint });
      withParts(schema, hint, this.count);
      const [values, said] = valuesOf(schema);
      if (Object.keys(said).length > 0) this.count(values, hint);
    }
    return schema;
  };

  /** Names what is written more than once: what is used most has the shortest names. */
  name(): void {
    const uses = [...this.#uses].sort(([, one], [, other]) => other.count - one.count);
    for (const [key, { count, hint }] of uses) {
      if (count < 2 || key.length < SHORTEST || key.startsWith('{"$ref":') || this.#names.has(key)) continue;
      const name = wordsFor(hint, this.#taken);
      this.#taken.add(name);
      this.#names.set(key, name);
    }
  }

  readonly replace: PartVisit = (schema, hint) => {
    const name = this.#nameOf(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const [values, said] = valuesOf(schema);
    const shared = this.#nameOf(values);
    if (shared !== undefined) return { $ref: `#/components/schemas/${shared}`, ...said };
    return withParts(schema, hint, this.replace);
  };

  #nameOf(schema: SchemaObject): string | undefined {
    return this.#names.get(JSON.stringify(schema));
  }

  /** All named schemas, in the order of their names. */
  components(): { readonly all: Schemas; readonly derived: ReadonlySet<string> } {
    const named: [string, SchemaObject][] = [];
    for (const [name, schema] of Object.entries(this.schemas))
      named.push([name, withParts(schema, name, this.replace)]);
    const own = new Set(Object.keys(this.schemas));
    const done = new Set<string>();
    // Parts of a named schema can be named in turn.
    for (let isDone = false; !isDone;) {
      isDone = true;
      for (const [key, name] of [...this.#names]) {
        if (own.has(name) || done.has(name)) continue;
        done.add(name);
        isDone = false;
        const schema = JSON.parse(key) as SchemaObject;
        named.push([name, withParts(schema, this.#uses.get(key)?.hint ?? name, this.replace)]);
      }
    }
    return { all: Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))), derived: done };
  }
}
