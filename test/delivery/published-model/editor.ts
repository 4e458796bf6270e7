import { expect } from '@jest/globals';
import { writeBodies } from '../../../src/features/publishing/delivery/index.js';
import type { Desk } from '../../support/desk.js';
import { change as changeEntry } from '../../management/entries/history.js';
import { dataOf, expectOk } from './answers.js';
import { Applied } from './applied.js';
import { blocksIn, writeToBlocks } from './blocks.js';
import { draftOf, dropField, publishIn, relocate, reshape, setValue, valuesOf } from './drafts.js';
import {
  copyOf,
  typeOf,
  type Locale,
  type Model,
  type ModelEntry,
  type ModelField,
  type ModelType,
} from './model.js';
import type { Change, ChangeOf } from './operations.js';
import {
  at,
  definitionOf,
  fieldNames,
  free,
  MOST_ENTRIES,
  MOST_FIELDS,
  namesOf,
  newKey,
  shapesOf,
  typeNames,
  type WrittenType,
} from './values.js';
import { newValue, writtenValue } from './written.js';

/** Makes changes in an environment and in its model. What a model cannot do is left out. */
export class Editor {
  #applied: Applied | undefined;

  constructor(
    private readonly desk: Desk,
    public model: Model,
  ) {}

  /** Two types of which each has entries, published in part, and a block type. */
  async fill(): Promise<void> {
    for (const type of [0, 1, 2]) {
      const name = typeNames[type] ?? '';
      const shape = { isBlock: type === 2, fieldFallback: type !== 1 };
      const made = { key: newKey(), name, ...shape, fields: [] as ModelField[] };
      expectOk(await this.desk.post('/content-types', { apiName: name, name: 'Type', ...shape, fields: [] }));
      this.model.types.push(made);
    }
    for (const type of [0, 1, 2])
      for (const [name, shape] of shapesOf(type).entries()) await this.#addField({ type, name, shape });
    for (const index of [0, 1, 2]) {
      await this.#create({ type: index, values: index });
      await this.#publish({ entry: index, locale: 'en' });
    }
  }

  async apply(change: Change): Promise<void> {
    switch (change.verb) {
      case 'create':
        return this.#create(change);
      case 'write':
        return this.#write(change);
      case 'writeBlocks':
        return this.#writeBlocks(change);
      case 'publish':
        return this.#publish(change);
      case 'unpublish':
        return this.#unpublish(change);
      case 'apply':
        return this.#applySchema(change);
      case 'undo':
        return this.#undo();
      case 'writeTexts':
        return this.writeTexts();
      default:
        this.#applied = undefined;
        return this.#changeSchema(change);
    }
  }

  /** After a change of the schema that no apply made. */
  forgetApply(): void {
    this.#applied = undefined;
  }

  /** Publishes again what is live. */
  async publishAll(): Promise<void> {
    for (const [entry, { live }] of this.model.entries.entries())
      for (const locale of live.keys()) await this.#publish({ entry, locale });
  }

  async writeTexts(): Promise<void> {
    const onError = (error: unknown) => {
      throw error;
    };
    await writeBodies({ units: this.desk.app.composition.services.units, onError });
  }

  async #create({ type: index, values }: Omit<ChangeOf<'create'>, 'verb'>): Promise<void> {
    const type = at(
      this.model.types.filter(({ isBlock }) => !isBlock),
      index,
    );
    if (type === undefined || this.model.entries.length >= MOST_ENTRIES) return;
    const entry: ModelEntry = {
      id: '',
      type: type.key,
      shared: new Map(),
      drafts: new Map([['en', new Map()]]),
      live: new Map(),
    };
    const fields: Record<string, unknown> = {};
    for (const [place, field] of type.fields.entries()) {
      const value = newValue(this.model, field, values + place);
      setValue(this.model, entry, { field, locale: 'en', value });
      if (value !== undefined) fields[field.name] = writtenValue(this.model, field, value);
    }
    const { siteId } = this.desk.project;
    const body = { contentTypeApiName: type.name, siteId, slug: `entry-${String(newKey())}`, fields };
    const answer = await this.desk.post('/entries', body);
    expectOk(answer);
    this.model.entries.push({ ...entry, id: dataOf<{ id: string }>(answer).id });
  }

  async #write({ entry: index, field: place, locale, value: index2 }: ChangeOf<'write'>): Promise<void> {
    const entry = at(this.model.entries, index);
    const field = entry && at(typeOf(this.model, entry).fields, place);
    if (entry === undefined || field === undefined) return;
    const value = index2 === undefined ? undefined : newValue(this.model, field, index2);
    const fields = { [field.name]: value === undefined ? null : writtenValue(this.model, field, value) };
    expectOk(await changeEntry(this.desk, entry.id, { locale, fields }));
    this.#applied?.noteEdit(entry);
    draftOf(entry, locale);
    setValue(this.model, entry, { field, locale, value });
  }

  /** Gives a value to every block of a list that the entry has. */
  async #writeBlocks({
    entry: index,
    list: place,
    field: fieldIndex,
    locale,
    value: from,
  }: ChangeOf<'writeBlocks'>) {
    const entry = at(this.model.entries, index);
    const lists = entry && typeOf(this.model, entry).fields.filter(({ kind }) => kind === 'blocks');
    const list = lists && at(lists, place);
    if (entry === undefined || list === undefined) return;
    const blocks = blocksIn((list.localized ? entry.drafts.get(locale) : entry.shared)?.get(list.key));
    const [block] = blocks;
    const plain = block && typeOf(this.model, block).fields.filter(({ kind }) => kind !== 'blocks');
    const field = plain && at(plain, fieldIndex);
    const value = field && newValue(this.model, field, from);
    if (field === undefined || value === undefined) return;
    const fields = { [field.name]: writtenValue(this.model, field, value) };
    const items = blocks.map(({ id }) => ({ _ref: id, fields }));
    const written = { [list.name]: list.isGroup ? items[0] : items };
    expectOk(await changeEntry(this.desk, entry.id, { locale, fields: written }));
    this.#applied?.noteEdit(entry);
    draftOf(entry, locale);
    writeToBlocks(blocks, { isInShared: !list.localized, field, locale }, value);
  }

  async #publish({ entry: index, locale }: { entry: number; locale: Locale }): Promise<void> {
    const entry = at(this.model.entries, index);
    if (entry?.drafts.has(locale) !== true) return;
    expectOk(await this.desk.post(`/entries/${entry.id}/publish`, { locale }));
    publishIn(entry, locale);
    this.#applied?.notePublication(entry, locale);
  }

  async #unpublish({ entry: index, locale }: ChangeOf<'unpublish'>): Promise<void> {
    const entry = at(this.model.entries, index);
    if (entry?.live.has(locale) !== true) return;
    expectOk(await this.desk.post(`/entries/${entry.id}/unpublish`, { locale }));
    entry.live.delete(locale);
  }

  async #changeSchema(change: Change): Promise<void> {
    if (change.verb === 'addField') return this.#addField(change);
    if (change.verb === 'renameType') return this.#renameType(change);
    if (change.verb === 'fallBack') return this.#fallBack(change);
    if (!('field' in change && 'type' in change)) return;
    const type = at(this.model.types, change.type);
    const field = type && at(type.fields, change.field);
    if (type === undefined || field === undefined) return;
    const path = `/content-types/${type.name}/fields/${field.name}`;
    if (change.verb === 'deleteField') {
      expectOk(await this.desk.delete(`${path}?force=true`));
      dropField(this.model, type, field);
    } else if (change.verb === 'renameField') {
      const name = free(fieldNames, namesOf(type), change.name);
      if (name === undefined) return;
      expectOk(await this.desk.post(`${path}/rename`, { apiName: name }));
      field.name = name;
    } else if (change.verb === 'convert') {
      await this.#convert(type, field, change.to);
    } else if (field.kind === 'text') {
      expectOk(await this.desk.put(path, { type: 'longText' }));
      field.kind = 'longText';
    }
  }

  async #convert(type: ModelType, field: ModelField, to: ChangeOf<'convert'>['to']): Promise<void> {
    // Blocks are always a list.
    const isReshaped = to !== 'place' && field.kind !== 'blocks';
    const isMoved = to !== 'list' || field.kind === 'blocks';
    const isList = isReshaped ? !field.isList : field.isList;
    const localized = isMoved ? !field.localized : field.localized;
    const path = `/content-types/${type.name}/fields/${field.name}`;
    expectOk(await this.desk.put(path, { isList, localized, allowDestructive: true }));
    if (isMoved) relocate(this.model, field);
    if (isReshaped) reshape(this.model, type, field);
  }

  async #addField({ type: index, name: place, shape }: Omit<ChangeOf<'addField'>, 'verb'>): Promise<void> {
    const type = at(this.model.types, index);
    const name = type && free(fieldNames, namesOf(type), place);
    if (type === undefined || name === undefined || type.fields.length >= MOST_FIELDS) return;
    const field = { key: newKey(), name, ...shape };
    expectOk(
      await this.desk.post(`/content-types/${type.name}/fields`, definitionOf(field, this.model.types)),
    );
    type.fields.push(field);
  }

  async #fallBack({ type: index }: ChangeOf<'fallBack'>): Promise<void> {
    const type = at(this.model.types, index);
    if (type === undefined) return;
    const { name, fieldFallback } = Object.assign(type, { fieldFallback: !type.fieldFallback });
    expectOk(await this.desk.put(`/content-types/${name}`, { fieldFallback }));
  }

  async #renameType({ type: index, name: place }: ChangeOf<'renameType'>): Promise<void> {
    const type = at(this.model.types, index);
    const used = this.model.types.map(({ name }) => name);
    const name = free(typeNames, used, place);
    if (type === undefined || name === undefined) return;
    expectOk(await this.desk.post(`/content-types/${type.name}/rename`, { apiName: name }));
    type.name = name;
  }

  async #applySchema(change: ChangeOf<'apply'>): Promise<void> {
    const type = at(this.model.types, change.type);
    if (type === undefined) return;
    const before = copyOf(this.model);
    const { contentTypes } = dataOf<{ schema: { contentTypes: WrittenType[] } }>(
      await this.desk.get('/schema/export'),
    ).schema;
    const written = contentTypes.find(({ apiName }) => apiName === type.name);
    if (written === undefined) throw new Error(`no type ${type.name} in the document`);
    const dropped = change.dropped === null ? undefined : at(type.fields, change.dropped);
    const renamed = change.renamed === null ? undefined : at(type.fields, change.renamed);
    const used = namesOf(type);
    if (dropped !== undefined) {
      written.fields = written.fields.filter(({ apiName }) => apiName !== dropped.name);
      if (written.displayField === dropped.name) delete written.displayField;
    }
    const name = free(fieldNames, used, change.name);
    const row = written.fields.find(({ apiName }) => apiName === renamed?.name);
    if (renamed !== undefined && row !== undefined && name !== undefined) {
      Object.assign(row, { apiName: name, renamedFrom: renamed.name });
      if (written.displayField === renamed.name) written.displayField = name;
      used.push(name);
    }
    const added = { key: newKey(), name: free(fieldNames, used, change.name + 1) ?? '', ...change.shape };
    const adds = written.fields.length < MOST_FIELDS && added.name !== '';
    if (adds) written.fields.push(definitionOf(added, this.model.types));
    const body = { schema: { contentTypes }, allowDestructive: true };
    const answer = await this.desk.post('/schema/apply', body);
    expectOk(answer);
    if (dropped !== undefined) dropField(this.model, type, dropped);
    if (renamed !== undefined && renamed !== dropped && name !== undefined) renamed.name = name;
    if (adds) type.fields.push(added);
    const { applyId } = dataOf<{ applyId: string | null }>(answer);
    if (applyId !== null) this.#applied = new Applied(applyId, adds ? [added.key] : [], before);
  }

  /** Undoes the last apply, which is refused where entries have values of what it created. */
  async #undo(): Promise<void> {
    const applied = this.#applied;
    if (applied === undefined) return;
    const answer = await this.desk.post('/schema/undo', { applyId: applied.applyId });
    const isUsed = this.model.types
      .flatMap((type) => valuesOf(this.model, type))
      .some((values) => applied.created.some((key) => values.has(key)));
    if (isUsed) {
      expect([answer.status, (answer.body as { error: string }).error]).toEqual([409, 'destructive_change']);
      return;
    }
    expectOk(answer);
    this.#applied = undefined;
    applied.undo(this.model);
  }
}
