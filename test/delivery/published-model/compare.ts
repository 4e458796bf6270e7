import { expect } from '@jest/globals';
import { typeNameOf } from '../../../src/content/model/api-names.js';
import { send } from '../../support/call.js';
import type { Desk } from '../../support/desk.js';
import { locales, type Locale, type Model, type ModelType } from './model.js';
import { isServed, type State } from './served.js';
import { answered, drafted, shown, type Shown } from './shown.js';

const HOPS = [0, 1, 2, 3];
/** Levels of references and blocks in GraphQL queries. */
const LEVELS = 2;

interface Delivered {
  readonly _id: string;
  readonly _type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A text with what it links, by id and type. */
function simplifiedText({ links, ...text }: { links: Record<string, { _type: string }> }): object {
  return { ...text, links: Object.entries(links).map(([id, { _type }]) => [id, _type]) };
}

const isText = (value: object): value is { links: Record<string, { _type: string }> } =>
  'raw' in value && 'links' in value;

function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified);
  if (typeof value === 'object' && value !== null && isText(value)) return simplifiedText(value);
  if (typeof value !== 'object' || value === null || !('_id' in value)) return value;
  const { _id: id, _type: type, fields } = value as Delivered;
  const shownFields = Object.entries(fields).map(([name, one]) => [name, simplified(one)] as const);
  return { id, type, fields: Object.fromEntries(shownFields) } satisfies Shown;
}

const byId = (entries: readonly object[]): unknown[] =>
  [...entries].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const spread = ({ types }: Pick<Model, 'types'>, level: number): string =>
  types.map(({ name }) => `...${name}${String(level)}`).join(' ');

function fragment({ name, fields }: ModelType, model: Model, level: number): string {
  const wanted = fields.flatMap((field) => {
    // No other type uses the name.
    const alias = `${name}_${field.name}: ${field.name}`;
    if (field.kind === 'richText') return [`${alias} { raw links { _id _type } }`];
    if (field.kind !== 'reference' && field.kind !== 'blocks') return [alias];
    const held = field.isGroup ? { types: model.types.filter(({ isBlock }) => isBlock) } : model;
    return level === 0 ? [] : [`${alias} { _id ${spread(held, level - 1)} }`];
  });
  return `fragment ${name}${String(level)} on ${typeNameOf(name)} { _id ${wanted.join(' ')} }`;
}

/** The query with the fragments that it uses, one for each type and level. */
function whole(model: Model, query: string): string {
  let text = query;
  for (let level = LEVELS; level >= 0; level -= 1)
    for (const type of model.types)
      if (text.includes(`...${type.name}${String(level)}`)) text += ` ${fragment(type, model, level)}`;
  return text;
}

/** Reads an environment through every surface and compares it with the model. */
export class Comparison {
  constructor(
    private readonly desk: Desk,
    private readonly model: Model,
  ) {}

  async check(): Promise<void> {
    await this.desk.app.composition.jobs.indexSearch();
    for (const locale of locales) {
      for (const type of this.model.types) await this.#checkType(type, locale);
      await this.#checkCollections(locale);
      await this.#checkEntries(locale);
    }
  }

  async #checkType(type: ModelType, locale: Locale): Promise<void> {
    const { model } = this;
    const expected = (hops: number, state: State = 'live') => {
      const found = model.entries.filter(
        (entry) => entry.type === type.key && isServed(entry, { state, locale }),
      );
      return byId(found.map((entry) => shown(model, entry, { state, locale, hops, path: [] })));
    };
    for (const hops of HOPS) {
      const rest = await this.#rest(
        `content/${type.name}?locale=${locale}&include=${String(hops)}&limit=100`,
      );
      expect({ rest: byId(rest.map(simplified) as object[]), hops }).toEqual({ rest: expected(hops), hops });
    }
    const drafts = await this.#rest(
      `content/${type.name}?locale=${locale}&include=3&limit=100`,
      this.desk.project.keys.preview,
    );
    expect({ preview: byId(drafts.map(simplified) as object[]) }).toEqual({ preview: expected(3, 'drafts') });
    const hits = await this.#rest(`search?contentTypeApiName=${type.name}&locale=${locale}&limit=100`);
    const found = hits.map((hit) => simplified((hit as { entry: unknown }).entry) as object);
    expect({ search: byId(found) }).toEqual({ search: expected(0) });
  }

  async #checkCollections(locale: Locale): Promise<void> {
    const { model } = this;
    const lists = model.types.map(
      ({ name }) =>
        `${name}Collection(locale: "${locale}", limit: 100) { items { ...${name}${String(LEVELS)} } }`,
    );
    const data = await this.#graphql<Record<string, { items: object[] }>>(`{ ${lists.join(' ')} }`);
    for (const { key, name } of model.types) {
      const place = { state: 'live', locale, hops: LEVELS } as const;
      const live = model.entries.filter((entry) => entry.type === key && isServed(entry, place));
      const answers = live.map((entry) => answered(model, entry, place));
      const items = byId(data[`${name}Collection`]?.items ?? []);
      expect({ graphql: items }).toEqual({ graphql: byId(answers) });
    }
  }

  async #checkEntries(locale: Locale): Promise<void> {
    const { model } = this;
    for (const entry of model.entries) {
      if (locale === 'en') {
        const query = `{ entry(id: "${entry.id}") { _id ${spread(model, LEVELS)} } }`;
        const isLive = entry.live.has(locale);
        const answer = isLive ? answered(model, entry, { state: 'live', locale, hops: LEVELS }) : null;
        expect(await this.#graphql(query)).toEqual({ entry: answer });
      }
      if (!entry.drafts.has(locale)) continue;
      const { body } = await this.desk.get(`/entries/${entry.id}?locale=${locale}`);
      const { fields } = (body as { data: { fields: Record<string, unknown> } }).data;
      const isSet = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
      const held = Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
      expect({ draft: held, locale }).toEqual({ draft: drafted(model, entry, locale), locale });
    }
  }

  async #rest(path: string, key?: string): Promise<unknown[]> {
    const { app, project } = this.desk;
    const answer = await send(app, { method: 'GET', path: `${project.delivery}/${path}`, key });
    expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
    return (answer.body as { data: unknown[] }).data;
  }

  async #graphql<Data = unknown>(root: string): Promise<Data> {
    const query = whole(this.model, root);
    const { app, project } = this.desk;
    const answer = await app.request
      .post(`/api/graphql/${project.slug}`)
      .set('Authorization', `Bearer ${project.keys.delivery}`)
      .send({ query });
    expect([query, (answer.body as { errors?: unknown }).errors]).toEqual([query, undefined]);
    return (answer.body as { data: Data }).data;
  }
}
