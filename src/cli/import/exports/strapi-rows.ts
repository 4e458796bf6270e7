import { z } from 'zod';
import { EntrySlug } from '../../../../contracts/primitives.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { FILE, type StrapiSchema } from './strapi-types.js';

type Values = Readonly<Record<string, unknown>>;

const End = z.object({
  type: z.string().max(200),
  ref: z.union([z.number(), z.string().max(200)]).transform(String),
  field: z.string().max(200).nullish().catch(undefined),
  pos: z.number().nullish().catch(undefined),
});
const Link = z.object({ left: End, right: End });

/** A row of a table. */
export interface RowName {
  readonly type: string;
  readonly ref: string;
}

export const rowKey = ({ type, ref }: RowName): string => JSON.stringify([type, ref]);

interface Target extends RowName {
  readonly position: number;
}

/** Relations of an export, which are rows beside the entries. */
export class StrapiLinks {
  /** By the row that has the field, and the field. */
  readonly #targets = new Map<string, Target[]>();
  /** Rows that are locales of one entry, as a tree to the first of them. */
  readonly #others = new Map<string, string>();

  /** @returns whether it is a link */
  add(value: unknown): boolean {
    const link = Link.safeParse(value);
    if (!link.success) return false;
    const { left, right } = link.data;
    if (left.field === 'localizations') this.#join(rowKey(left), rowKey(right));
    // Files name what they are used in.
    else if (left.type === FILE) this.#add(right, left, right.pos);
    else this.#add(left, right, left.pos);
    return true;
  }

  #add({ type, ref, field }: z.infer<typeof End>, target: RowName, position?: number | null): void {
    if (typeof field !== 'string') return;
    const key = JSON.stringify([type, ref, field]);
    const list = this.#targets.get(key) ?? [];
    this.#targets.set(key, list);
    list.push({ type: target.type, ref: target.ref, position: position ?? 0 });
  }

  /** In the order of the field. */
  targetsOf({ type, ref }: RowName, field: string): readonly RowName[] {
    const found = this.#targets.get(JSON.stringify([type, ref, field])) ?? [];
    return [...found].sort((a, b) => a.position - b.position);
  }

  #join(one: string, other: string): void {
    const [first, second] = [this.firstOf(one), this.firstOf(other)];
    if (first !== second) this.#others.set(second, first);
  }

  /** Names the entry that a row is a locale of. */
  firstOf(key: string): string {
    let first = key;
    for (let next = this.#others.get(first); next !== undefined; next = this.#others.get(first)) {
      // Halves the way for the next one.
      const further = this.#others.get(next);
      if (further !== undefined) this.#others.set(first, further);
      first = next;
    }
    return first;
  }
}

/** Values that the kind of their attribute does not have, which are found before the types are read. */
export class StrapiSurvey {
  readonly #others = new Map<string, string>();

  constructor(private readonly schemas: ReadonlyMap<string, StrapiSchema>) {}

  /** Reads the values of an entry, and of the components in it. */
  add(uid: string, values: Values): void {
    const open: (readonly [string, Values])[] = [[uid, values]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [own, given] = next;
      for (const [name, attribute] of Object.entries(this.schemas.get(own)?.attributes ?? {})) {
        if (!isObject(attribute) || !Object.hasOwn(given, name)) continue;
        const value = given[name];
        for (const item of [value].flat())
          if (isObject(item)) {
            const component = attribute.type === 'dynamiczone' ? item.__component : attribute.component;
            if (typeof component === 'string') open.push([component, item]);
          }
        if (value !== null && value !== undefined && !isOfKind(attribute, value))
          this.#others.set(JSON.stringify([own, name]), JSON.stringify(value).slice(0, 100));
      }
    }
  }

  /** One of them, as JSON. */
  otherValue(uid: string, name: string): string | undefined {
    return this.#others.get(JSON.stringify([uid, name]));
  }
}

function isOfKind({ type, enum: options }: Values, value: unknown): boolean {
  if (type === 'enumeration') return Array.isArray(options) && options.includes(value);
  if (type === 'biginteger') return Number.isSafeInteger(Number(value));
  return type !== 'uid' || EntrySlug.safeParse(value).success;
}
