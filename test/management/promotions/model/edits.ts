import type { Response } from 'supertest';
import type { Desk } from '../../../support/desk.js';
import { fc } from '../../../support/properties.js';

const pick = fc.nat(7);
const locale = fc.constantFrom('en', 'de');
const word: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c');
const slug = fc.constantFrom('one', 'two', 'three', 'four');
const path = fc.constantFrom('/a', '/b', '/c');

const edits = {
  write: fc.record({ pick, locale, value: word }),
  share: fc.record({ pick, value: fc.option(word) }),
  link: fc.record({ pick, other: fc.option(pick) }),
  slug: fc.record({ pick, locale, slug }),
  create: fc.record({ value: word, other: fc.option(pick) }),
  page: fc.record({ slug, parent: fc.option(pick) }),
  folder: fc.record({ slug, parent: fc.option(pick) }),
  move: fc.record({ pick, parent: fc.option(pick), position: fc.option(fc.nat(2), { nil: undefined }) }),
  lift: fc.record({ pick }),
  delete: fc.record({ pick }),
  publish: fc.record({ pick, locale }),
  unpublish: fc.record({ pick, locale }),
  redirect: fc.record({ source: path, target: path }),
  retarget: fc.record({ pick, target: path }),
  forget: fc.record({ pick }),
  renameType: fc.record({ pick, name: fc.constantFrom('story', 'item', 'sheet') }),
  label: fc.record({ pick, value: word }),
  renameField: fc.record({ pick, name: fc.constantFrom('heading', 'note', 'code') }),
  addField: fc.record({ pick, name: fc.constantFrom('extra', 'note') }),
  dropField: fc.record({ pick }),
  addType: fc.record({ name: fc.constantFrom('event', 'item') }),
  dropType: fc.record({ pick }),
} as const;
const weights: Partial<Record<keyof typeof edits, number>> = {
  write: 6,
  move: 3,
  slug: 3,
  publish: 3,
  create: 2,
};

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
type Edits = {
  [Verb in keyof typeof edits]: { verb: Verb; side: 'branch' | 'base' } & ValueOf<(typeof edits)[Verb]>;
};
export type Edit = Edits[keyof Edits];

/** One change in one of the two environments. */
export const editArbitrary: fc.Arbitrary<Edit> = fc.oneof(
  ...(Object.keys(edits) as (keyof typeof edits)[]).map((verb) => ({
    weight: weights[verb] ?? 1,
    arbitrary: fc
      .tuple(edits[verb] as fc.Arbitrary<object>, fc.constantFrom('branch', 'base'))
      .map(([values, side]) => ({ verb, side, ...values }) as unknown as Edit),
  })),
);

interface Named {
  id: string;
  isPage: boolean;
  apiName: string;
  fields: { apiName: string }[];
}
interface Listed {
  id: string;
  version: number;
  contentTypeApiName: string;
}

const bodyOf = <T>(response: Response): T => (response.body as { data: T }).data;

/** Edits one environment through the management API; refusals change nothing. */
export class Editor {
  constructor(
    private readonly desk: Desk,
    private readonly siteId: string,
  ) {}

  async #one<T>(list: string, index: number | null): Promise<T | undefined> {
    if (index === null) return undefined;
    const found = bodyOf<T[]>(await this.desk.get(list));
    return found.length === 0 ? undefined : found[index % found.length];
  }

  #entry = (index: number | null) => this.#one<Listed>('/entries?limit=100&orderBy=createdAt:asc', index);
  #node = (index: number | null) => this.#one<{ id: string }>('/tree/main?flat=true', index);
  #type = (index: number) => this.#one<Named>('/content-types', index);
  #redirect = (index: number) => this.#one<{ id: string }>('/redirects?orderBy=createdAt:asc', index);

  /** The first field of the type is its title, the second is shared, the third is a link. */
  async #write(index: number, at: 0 | 1 | 2, value: unknown, language = 'en'): Promise<Response | undefined> {
    const entry = await this.#entry(index);
    if (entry === undefined) return undefined;
    const type = bodyOf<Named>(await this.desk.get(`/content-types/${entry.contentTypeApiName}`));
    const name = (type.fields[at] ?? type.fields[0])?.apiName;
    if (name === undefined) return undefined;
    return this.desk.put(`/entries/${entry.id}`, {
      version: entry.version,
      locale: language,
      fields: { [name]: value },
    });
  }

  async #create(value: string, other: number | null): Promise<Response | undefined> {
    const types = bodyOf<Named[]>(await this.desk.get('/content-types'));
    const type = types.find(({ isPage }) => !isPage);
    const linked = await this.#entry(other);
    const [title, , link] = type?.fields ?? [];
    if (type === undefined || title === undefined) return undefined;
    return this.desk.post('/entries', {
      contentTypeApiName: type.apiName,
      siteId: this.siteId,
      fields: { [title.apiName]: value, ...(link && linked && { [link.apiName]: { _ref: linked.id } }) },
    });
  }

  async apply(edit: Edit): Promise<void> {
    const response = await this.#send(edit);
    if (response !== undefined && response.status >= 500)
      throw new Error(`${JSON.stringify(edit)}: ${response.text}`);
  }

  async #send(edit: Edit): Promise<Response | undefined> {
    switch (edit.verb) {
      case 'write':
        return this.#write(edit.pick, 0, edit.value, edit.locale);
      case 'share':
        return this.#write(edit.pick, 1, edit.value);
      case 'link': {
        const other = await this.#entry(edit.other);
        return this.#write(edit.pick, 2, other === undefined ? null : { _ref: other.id });
      }
      case 'create':
        return this.#create(edit.value, edit.other);
      case 'slug':
      case 'delete':
      case 'publish':
      case 'unpublish':
        return this.#sendEntry(edit);
      case 'page':
      case 'folder':
      case 'move':
      case 'lift':
        return this.#sendNode(edit);
      case 'redirect':
      case 'retarget':
      case 'forget':
        return this.#sendRedirect(edit);
      default:
        return this.#sendType(edit);
    }
  }

  async #sendEntry(edit: Edits['slug' | 'delete' | 'publish' | 'unpublish']): Promise<Response | undefined> {
    const entry = await this.#entry(edit.pick);
    if (entry === undefined) return undefined;
    const at = `/entries/${entry.id}`;
    if (edit.verb === 'delete') return this.desk.delete(at);
    if (edit.verb !== 'slug') return this.desk.post(`${at}/${edit.verb}`, { locale: edit.locale });
    return this.desk.put(at, { version: entry.version, locale: edit.locale, slug: edit.slug });
  }

  async #sendNode(edit: Edits['page' | 'folder' | 'move' | 'lift']): Promise<Response | undefined> {
    if (edit.verb === 'lift') {
      const node = await this.#node(edit.pick);
      return node && this.desk.delete(`/tree/nodes/${node.id}?children=lift`);
    }
    const parent = await this.#node(edit.parent);
    const parentId = parent?.id ?? null;
    if (edit.verb === 'folder')
      return this.desk.post('/tree/nodes', { siteId: this.siteId, parentId, slug: edit.slug });
    if (edit.verb === 'page') {
      const types = bodyOf<Named[]>(await this.desk.get('/content-types'));
      const type = types.find(({ isPage }) => isPage);
      const title = type?.fields[0]?.apiName;
      if (type === undefined || title === undefined) return undefined;
      const { siteId } = this;
      const fields = { [title]: edit.slug };
      const body = {
        contentTypeApiName: type.apiName,
        siteId,
        treeParentId: parentId,
        slug: edit.slug,
        fields,
      };
      return this.desk.post('/entries', body);
    }
    const node = await this.#node(edit.pick);
    return node && this.desk.post(`/tree/nodes/${node.id}/move`, { parentId, position: edit.position });
  }

  async #sendRedirect(edit: Edits['redirect' | 'retarget' | 'forget']): Promise<Response | undefined> {
    const { siteId } = this;
    if (edit.verb === 'redirect')
      return this.desk.post('/redirects', { siteId, source: edit.source, target: edit.target });
    const redirect = await this.#redirect(edit.pick);
    if (redirect === undefined) return undefined;
    const at = `/redirects/${redirect.id}`;
    return edit.verb === 'forget' ? this.desk.delete(at) : this.desk.put(at, { target: edit.target });
  }

  async #sendType(
    edit: Edits['renameType' | 'label' | 'renameField' | 'addField' | 'dropField' | 'addType' | 'dropType'],
  ): Promise<Response | undefined> {
    if (edit.verb === 'addType') {
      const fields = [{ apiName: 'day', type: 'text' }];
      return this.desk.post('/content-types', { apiName: edit.name, name: 'Type', fields });
    }
    const type = await this.#type(edit.pick);
    if (type === undefined) return undefined;
    const at = `/content-types/${type.apiName}`;
    const last = type.fields.at(-1)?.apiName ?? 'none';
    switch (edit.verb) {
      case 'renameType':
        return this.desk.post(`${at}/rename`, { apiName: edit.name });
      case 'label':
        return this.desk.put(at, { name: edit.value });
      case 'renameField':
        return this.desk.post(`${at}/fields/${type.fields[0]?.apiName ?? 'none'}/rename`, {
          apiName: edit.name,
        });
      case 'addField':
        return this.desk.post(`${at}/fields`, { apiName: edit.name, type: 'text' });
      case 'dropField':
        return this.desk.delete(`${at}/fields/${last}?force=true`);
      case 'dropType':
        return this.desk.delete(at);
    }
  }
}
