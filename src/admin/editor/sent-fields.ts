import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import type { ContentType } from '../api/project-data.js';
import { holdsBlocks } from '../fields/kinds.js';
import { changedFields, type Draft, type Values } from './draft.js';
import { itemsOf, mapItems } from './items.js';
import { isSame } from './merge-typed.js';

interface Types {
  readonly types: readonly ContentType[];
}

type Known = ReadonlyMap<string, OwnBlock>;

/** Writes values for a call: the blocks of the entry are named, and have what is new in them. */
class CallWriter {
  constructor(
    private readonly project: Types,
    private readonly known: Known,
  ) {}

  write(type: ContentType | undefined, values: Values): Values {
    const written = Object.entries(values).map(([name, value]): [string, unknown] => [
      name,
      isBlocks(type, name) ? mapItems(value, (item) => this.#item(item)) : value,
    ]);
    return Object.fromEntries(written);
  }

  #item(item: unknown): unknown {
    if (!isOwnBlock(item)) return item;
    const { _ref, fields, ...names } = item;
    const type = this.project.types.find(({ apiName }) => apiName === item._type);
    const was = this.known.get(_ref);
    if (was === undefined) return { _id: _ref, ...names, fields: this.write(type, fields) };
    return { _ref, _type: item._type, fields: this.write(type, differing(was.fields, fields)) };
  }
}

const isBlocks = (type: ContentType | undefined, name: string): boolean =>
  type?.fields.some((field) => field.apiName === name && holdsBlocks(field)) === true;

function differing(before: Values, after: Values): Values {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  );
}

/** Every block of the entry, on any level. */
function blocksIn(project: Types, type: ContentType | undefined, values: Values): [string, OwnBlock][] {
  const lists = Object.entries(values).filter(([name]) => isBlocks(type, name));
  return lists
    .flatMap(([, value]) => itemsOf(value).filter(isOwnBlock))
    .flatMap((block) => {
      const own = project.types.find(({ apiName }) => apiName === block._type);
      return [[block._ref, block] as [string, OwnBlock], ...blocksIn(project, own, block.fields)];
    });
}

/** What a call sends of a draft: the fields that were changed, and of blocks that are stored what was changed in them. */
export function sentFields(project: Types, type: ContentType | undefined, draft: Draft): Values {
  const known = new Map(blocksIn(project, type, draft.base.fields));
  return new CallWriter(project, known).write(type, changedFields(draft));
}

/** What a call sends of a new entry. */
export const sentValues = (project: Types, type: ContentType, values: Values): Values =>
  new CallWriter(project, new Map()).write(type, values);
