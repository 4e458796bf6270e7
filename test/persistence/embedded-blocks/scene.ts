import { embeddedBlocks } from '../../../src/persistence/migrations/steps/0085-embedded-blocks.js';
import { migrations } from '../../../src/persistence/migrations/steps/index.js';
import { ownedBlocks } from '../../../src/persistence/migrations/steps/0078-owned-blocks.js';
import { migrateUp } from '../../../src/persistence/migrations/migrator.js';
import { startBeside, type TestApp } from '../../support/app.js';
import { must } from '../../support/call.js';
import { openDesk, type Desk } from '../../support/desk.js';
import { createLeafletTypes } from '../../support/factories/own-blocks.js';
import { createEntry, publish, type TestEntry } from '../../support/factories/content.js';
import { change } from '../../management/entries/history.js';

/** Values by locale; the first one is written first. */
export type Texts = Readonly<Record<string, Record<string, unknown>>>;

/** A project as it was before blocks had owners: every block is an entry, linked by the one that holds it. */
export class FormerProject {
  private constructor(readonly desk: Desk) {}

  static async open(app: TestApp): Promise<FormerProject> {
    const desk = await openDesk(app, { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
    await createLeafletTypes(desk);
    return new FormerProject(desk);
  }

  /** Writes an entry of any type, in each of the locales, and publishes it there. */
  async live(type: string, texts: Texts): Promise<TestEntry> {
    const made = await this.draft(type, texts);
    await this.publish(made.id, ...Object.keys(texts));
    return made;
  }

  async draft(type: string, texts: Texts): Promise<TestEntry> {
    const { app, project } = this.desk;
    const [[locale = 'en', fields = {}] = [], ...others] = Object.entries(texts);
    const made = await createEntry(app, project, { contentTypeApiName: type, locale, fields });
    for (const [code, values] of others) await this.change(made.id, { locale: code, fields: values });
    return made;
  }

  async change(id: string, body: object): Promise<void> {
    const response = await change(this.desk, id, body);
    if (response.status !== 200) throw new Error(response.text);
  }

  async publish(id: string, ...locales: string[]): Promise<void> {
    for (const locale of locales) await publish(this.desk.app, this.desk.project, id, locale);
  }
}

export const linkTo = ({ id }: Pick<TestEntry, 'id'>) => ({ _ref: id });

/** The migrations of blocks, which are reverted so that the database is that of the release before. */
const later = migrations.slice(migrations.indexOf(ownedBlocks));

/** Takes the database back to the schema before blocks had owners. */
export async function downgrade(app: TestApp): Promise<void> {
  for (const { name, down } of later.toReversed()) {
    await app.rows(null, down);
    await app.rows(null, 'DELETE FROM schema_migrations WHERE name = $1', [name]);
  }
}

/** Migrates the database of the former release, and starts this release over it. */
export async function upgrade(app: TestApp): Promise<TestApp> {
  await downgrade(app);
  const applied = await migrateUp({ url: app.databaseUrl });
  if (!applied.includes(embeddedBlocks.name)) throw new Error(`applied ${applied.join(', ')}`);
  return startBeside(app);
}

interface Delivered {
  readonly _id: string;
  readonly _type: string;
  readonly _locale: string;
  readonly fields: Record<string, unknown>;
}

const isEntry = (value: unknown): value is Delivered =>
  typeof value === 'object' && value !== null && '_id' in value && 'fields' in value;

/** What readers see of a delivered entry, without what is its own as an entry: its slug and the time of its publication. */
function seen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(seen);
  if (!isEntry(value)) return value;
  const fields = Object.entries(value.fields).filter(
    ([, one]) => one !== null && !(Array.isArray(one) && one.length === 0),
  );
  return { id: value._id, ...Object.fromEntries(fields.map(([name, one]) => [name, seen(one)])) };
}

export const deliveredIn = async (
  { app, project }: Pick<Desk, 'app' | 'project'>,
  id: string,
  query = '',
): Promise<unknown> =>
  seen(
    await must(app, { method: 'GET', path: `${project.delivery}/entries/${id}${query}` }).catch(() => null),
  );
