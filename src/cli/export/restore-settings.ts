import type { SchemaDocument } from '../../../contracts/deployment/schema/schema-plan.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { everyItem, isAppError, type Inputs, type Operations } from '../client/rest-operations.js';
import type { ImportLoss } from '../../../contracts/editorial/imports/import-job.js';
import type { ImportReport } from '../import/exports/import-report.js';
import type { ImportState } from '../import/exports/import-state.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { reasonOf } from '../import/send-items.js';
import { rewrite, type SettingLine, type SettingOf } from './export-format.js';
import type { ExportReader } from './read-export.js';

const LIMIT = limits.pageLimitMaximum;
type Workflow = NonNullable<SchemaDocument['workflows']>[number];

async function namesOf<T>(
  items: AsyncIterable<T>,
  nameOf: (item: T) => string,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const item of items) names.add(nameOf(item));
  return names;
}

/** What the steps of an import of a project share. */
export interface Restore {
  readonly client: Operations;
  readonly projectSlug: string;
  readonly reader: ExportReader;
  readonly report: ImportReport;
  readonly state: ImportState;
  /** Ids of sites, folders, assets, entries and nodes by those of the export. */
  readonly ids: Map<string, string>;
}

/** The same value with the ids of the project. */
export const withOwnIds = <T>({ ids }: Restore, value: T): T =>
  rewrite(value, (text) => ids.get(text) ?? text) as T;

/** @throws the failure if it ends the run */
export function loseUnlessFatal(
  { report }: Restore,
  error: unknown,
  { kind, where, what }: Pick<ImportLoss, 'kind' | 'where' | 'what'>,
): void {
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 401 || error.status === 429)
    throw error;
  report.losses.add(kind, where, [what, reasonOf(error), 'Make it after the import.']);
}

/** Every transition is possible, and nothing is asked for it: an import makes states that approvals have led to. */
function relaxed(workflow: Workflow): Workflow {
  const keys = workflow.states.map(({ key }) => key);
  const pairs = keys.flatMap((from) => keys.filter((to) => to !== from).map((to) => ({ from, to })));
  const states = workflow.states.map((state) => ({ ...state, editableBy: [] }));
  const transitions = pairs.slice(0, limits.transitionsPerWorkflow);
  return { ...workflow, enforcement: 'advisory', states, transitions };
}

/** Makes the settings of a project equal to those of an export. What the export lacks stays as it is. */
export class SettingsRestore {
  readonly #lines: SettingLine[] = [];
  #schema: SchemaDocument = {};
  #relaxed: Promise<void> | undefined;

  constructor(private readonly restore: Restore) {}

  /** The content types, workflows and roles of the export. */
  get schema(): SchemaDocument {
    return this.#schema;
  }

  #of<K extends SettingLine['kind']>(kind: K): SettingOf<K>[] {
    return this.#lines.filter((line): line is SettingOf<K> => line.kind === kind);
  }

  get sites(): readonly SettingOf<'site'>[] {
    return this.#of('site');
  }

  async read(): Promise<void> {
    for await (const { value } of this.restore.reader.lines('settings.jsonl')) this.#lines.push(value);
    this.#schema = this.#of('schema')[0]?.schema ?? {};
  }

  /** @param tenantSlug where it is made if it does not exist */
  async project(tenantSlug: string | undefined): Promise<void> {
    const { client, projectSlug } = this.restore;
    try {
      await client.call('locales', 'list', { projectSlug });
    } catch (error) {
      if (!isAppError(error, 'project_not_found')) throw error;
      if (tenantSlug === undefined)
        throw new Error(
          `The project ${projectSlug} does not exist. Create it, or name its tenant with --tenant.`,
          { cause: error },
        );
      const name = this.#of('project')[0]?.name ?? projectSlug;
      await client.call('projects', 'create', { tenantSlug, slug: projectSlug, name });
    }
  }

  async locales(): Promise<void> {
    const { client, projectSlug, report } = this.restore;
    const { data } = await client.call('locales', 'list', { projectSlug, limit: LIMIT });
    const known = new Map(data.map((locale) => [locale.code, locale]));
    const lines = this.#of('locale');
    for (const { code, name } of lines) {
      report.count('locale', known.has(code) ? 'same' : 'made');
      if (!known.has(code)) await client.call('locales', 'create', { projectSlug, code, name });
    }
    for (const { code, isDefault, fallbackCode, isActive } of lines) {
      const present = known.get(code);
      if (present === undefined && (fallbackCode !== null || !isActive))
        await client.call('locales', 'update', { projectSlug, code, fallbackCode, isActive });
      if (present !== undefined && present.fallbackCode !== fallbackCode)
        this.#loseLocale(code, `the fallback ${fallbackCode ?? 'none'}`);
      if (isDefault && present?.isDefault !== true)
        this.#loseLocale(code, 'the default locale of the tenant');
    }
  }

  #loseLocale(code: string, what: string): void {
    const why = 'Locales belong to the tenant, which has others.';
    this.restore.report.losses.add('locale', code, [what, why, 'Change it in the settings.']);
  }

  async makeSites(): Promise<void> {
    const { client, projectSlug, ids, report } = this.restore;
    for (const { kind: _kind, id, homeEntryId: _home, ...wanted } of this.sites) {
      const found = await client
        .call('sites', 'get', { projectSlug, siteSlug: wanted.slug })
        .catch((error: unknown) => {
          if (!isAppError(error, 'site_not_found')) throw error;
        });
      if (found === undefined) {
        ids.set(id, (await client.call('sites', 'create', { projectSlug, ...wanted })).data.id);
        report.count('other', 'made');
        continue;
      }
      ids.set(id, found.data.id);
      const { slug: siteSlug, ...change } = wanted;
      const isSame = Object.entries(change).every(([key, value]) =>
        isEqualJson(value, found.data[key as keyof typeof found.data]),
      );
      if (!isSame) await client.call('sites', 'update', { projectSlug, siteSlug, ...change });
      report.count('other', isSame ? 'same' : 'changed');
    }
  }

  /** After the entries are there. */
  async homes(): Promise<void> {
    const { client, projectSlug, ids } = this.restore;
    for (const { slug: siteSlug, homeEntryId } of this.sites) {
      const own = ids.get(homeEntryId ?? '');
      const { data } = await client.call('sites', 'get', { projectSlug, siteSlug });
      if (own !== undefined && data.homeEntryId !== own)
        await client.call('sites', 'update', { projectSlug, siteSlug, homeEntryId: own });
    }
  }

  /** The schema of the project with that of the export, whose parts win. */
  async #joined(change: (workflow: Workflow) => Workflow): Promise<SchemaDocument> {
    const { client, projectSlug } = this.restore;
    const { data } = await client.call('schema', 'export', { projectSlug });
    const own = data.schema as SchemaDocument;
    const merge = <T>(
      mine: readonly T[] = [],
      theirs: readonly T[] = [],
      nameOf: (part: T) => string,
    ): T[] => {
      const names = new Set(theirs.map(nameOf));
      return [...theirs, ...mine.filter((part) => !names.has(nameOf(part)))];
    };
    const { contentTypes, customFieldTypes, workflows = [], roles } = this.#schema;
    const isDefault = workflows.some((workflow) => workflow.isDefault);
    const others = own.workflows?.map((one) => (isDefault ? { ...one, isDefault: false } : one));
    return {
      contentTypes: merge(own.contentTypes, contentTypes, ({ apiName }) => apiName),
      customFieldTypes: merge(own.customFieldTypes, customFieldTypes, ({ apiName }) => apiName),
      workflows: merge(others, workflows.map(change), ({ slug }) => slug),
      roles: merge(own.roles, roles, ({ slug }) => slug),
    };
  }

  async plan() {
    const { client, projectSlug } = this.restore;
    const schema = await this.#joined((workflow) => workflow);
    return (await client.call('schema', 'plan', { projectSlug, schema })).data;
  }

  /** Content types and roles, with workflows that permit what the import does, until {@link finishSchema}. */
  async startSchema(): Promise<void> {
    const { steps, isDestructive } = await this.plan();
    const { report } = this.restore;
    const made = (kind: string): number =>
      steps.filter((step) => step.kind === kind && step.action === 'create').length;
    report.count('type', 'made', made('contentType'));
    report.count('type', 'same', (this.#schema.contentTypes?.length ?? 0) - made('contentType'));
    if (isDestructive)
      throw new Error(
        `The project ${this.restore.projectSlug} has content types with other fields. Import into another project.`,
      );
    if (steps.length > 0) await this.relax();
  }

  /** Called before the first change of an entry. */
  relax(): Promise<void> {
    return (this.#relaxed ??= this.#apply(relaxed));
  }

  async finishSchema(): Promise<void> {
    if (this.#relaxed !== undefined || (await this.plan()).steps.length > 0)
      await this.#apply((workflow) => workflow);
  }

  async #apply(change: (workflow: Workflow) => Workflow): Promise<void> {
    const { client, projectSlug } = this.restore;
    await client.call('schema', 'applyDocument', { projectSlug, schema: await this.#joined(change) });
  }

  async folders(): Promise<void> {
    const { client, projectSlug, ids, report } = this.restore;
    const known = new Map<string, string>();
    const keyOf = (parentId: string | null, name: string): string => JSON.stringify([parentId, name]);
    for await (const { id, name, parentId } of everyItem((page) =>
      client.call('mediaFolders', 'list', { projectSlug, limit: LIMIT, page }),
    ))
      known.set(keyOf(parentId, name), id);
    for (const { id, name, parentId } of this.#of('folder')) {
      const parent = parentId === null ? null : (ids.get(parentId) ?? null);
      const found = known.get(keyOf(parent, name));
      report.count('other', found === undefined ? 'made' : 'same');
      const input = { projectSlug, name, parentId: parent };
      ids.set(id, found ?? (await client.call('mediaFolders', 'create', input)).data.id);
    }
  }

  /** Last, because they name entries and types. Views and webhooks are found again by their names. */
  async others(): Promise<void> {
    const { client, projectSlug } = this.restore;
    const [search] = this.#of('search');
    const { data } = await client.call('search', 'settings', { projectSlug });
    if (search !== undefined && !isEqualJson(search.settings, data))
      await client.call('search', 'setSettings', { projectSlug, ...search.settings });
    await this.#views();
    await this.#webhooks();
  }

  async #views(): Promise<void> {
    const { client, projectSlug, report } = this.restore;
    const nameOf = ({ name, resource }: { name: string; resource: string }) => `${resource} ${name}`;
    const known = await namesOf(
      everyItem((page) => client.call('views', 'list', { projectSlug, limit: LIMIT, page })),
      nameOf,
    );
    for (const { view } of this.#of('view')) {
      report.count('other', known.has(nameOf(view)) ? 'same' : 'made');
      if (known.has(nameOf(view))) continue;
      const input = withOwnIds(this.restore, view) as Inputs['views']['create'];
      await client.call('views', 'create', { ...input, projectSlug }).catch((error: unknown) => {
        loseUnlessFatal(this.restore, error, { kind: 'other', where: `view ${view.name}`, what: 'the view' });
      });
    }
  }

  async #webhooks(): Promise<void> {
    const { client, projectSlug, report } = this.restore;
    const nameOf = ({ name, url }: { name: string; url: string }) => `${name} ${url}`;
    const known = await namesOf(
      everyItem((page) => client.call('webhooks', 'list', { projectSlug, limit: LIMIT, page })),
      nameOf,
    );
    for (const { webhook } of this.#of('webhook')) {
      const where = `webhook ${webhook.name}`;
      report.count('other', known.has(nameOf(webhook)) ? 'same' : 'made');
      if (known.has(nameOf(webhook))) continue;
      const input = withOwnIds(this.restore, webhook) as Inputs['webhooks']['create'];
      const headers = input.headers?.filter(({ secret }) => secret !== true) ?? [];
      const remedy = 'Enter secret headers, give the receiver the new secret, and enable it.';
      const why = 'An export has no secrets.';
      report.losses.add('other', where, ['enabled, with its secret and secret headers', why, remedy]);
      await client
        .call('webhooks', 'create', { ...input, projectSlug, headers, enabled: false })
        .catch((error: unknown) => {
          loseUnlessFatal(this.restore, error, { kind: 'other', where, what: 'the webhook' });
        });
    }
  }
}
