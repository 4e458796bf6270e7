import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { isAppError } from '../client/rest-operations.js';
import { isFailed, sendItems } from '../import/send-items.js';
import { keyOf, type EntryLine } from './export-format.js';
import type { ExportLine } from './read-export.js';
import { loseUnlessFatal, type Restore, type SettingsRestore } from './restore-settings.js';

/** Half of what a request may contain, and what an address with external ids may. */
export const BATCH = { lines: 50, characters: 400_000, keys: 4000 };

/** By locale; an entry of the project. */
export type Present = ReadonlyMap<string, Entry>;

const nameOf = (type: string, key: string): string => JSON.stringify([type, key]);

/** Lines that are looked for and written together. */
export async function* batches(lines: AsyncIterable<ExportLine<EntryLine>>): AsyncGenerator<EntryLine[]> {
  let batch: EntryLine[] = [];
  let [characters, keys] = [0, 0];
  for await (const { value, text } of lines) {
    const isFull =
      batch.length === BATCH.lines || characters + text.length > BATCH.characters || keys > BATCH.keys;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, characters, keys] = [[], 0, 0];
    }
    batch.push(value);
    characters += text.length;
    keys += keyOf(value).length + 1;
  }
  if (batch.length > 0) yield batch;
}

/** @returns by id in the export */
export async function readEntries(
  restore: Restore,
  batch: readonly EntryLine[],
  locale: string | undefined,
): Promise<Map<string, Entry>> {
  const { client, projectSlug } = restore;
  const filters = {
    contentTypeApiName: [...new Set(batch.map(({ type }) => type))],
    externalId: batch.map(keyOf),
  };
  const read = client.call('entries', 'list', {
    projectSlug,
    ...filters,
    limit: 100,
    ...(locale && { locale }),
  });
  const found = await read.catch((error: unknown) => {
    if (isAppError(error, 'content_type_not_found', 'type_not_localized', 'project_not_found'))
      return { data: [] };
    throw error;
  });
  const byName = new Map(
    found.data.map((entry) => [nameOf(entry.contentTypeApiName, entry.externalId ?? ''), entry]),
  );
  return new Map(
    batch.flatMap((line) => {
      const entry = byName.get(nameOf(line.type, keyOf(line)));
      return entry === undefined ? [] : [[line.id, entry] as const];
    }),
  );
}

/** By id in the export, then by locale. */
export async function presentIn(
  restore: Restore,
  batch: readonly EntryLine[],
): Promise<Map<string, Map<string, Entry>>> {
  const codes = new Set(batch.flatMap(({ locales }) => Object.keys(locales)));
  const present = new Map<string, Map<string, Entry>>(batch.map(({ id }) => [id, new Map()]));
  for (const code of codes)
    for (const [id, entry] of await readEntries(restore, batch, code)) present.get(id)?.set(code, entry);
  return present;
}

/** Withdraws drafts that are published, and schedules. @returns the number of changes */
export async function settle(
  restore: Restore,
  line: EntryLine,
  present: Present = new Map(),
): Promise<number> {
  const { client, projectSlug, ids } = restore;
  const id = ids.get(line.id) ?? '';
  let changes = 0;
  for (const [locale, { status, schedules = [] }] of Object.entries(line.locales)) {
    const now = present.get(locale)?.locales.find((one) => one.locale === locale);
    const where = `entry ${line.type}/${keyOf(line)} / ${locale}`;
    if (status === 'draft' && now !== undefined && now.status !== 'draft') {
      const item = { action: 'unpublish', id, locale } as const;
      for (const { outcome } of await sendItems(restore, [{ item }]))
        if (isFailed(outcome))
          loseUnlessFatal(restore, outcome, {
            kind: 'entry',
            where,
            what: 'that it is not published',
          });
      changes += 1;
    }
    for (const { kind, scheduledAt, timezone } of schedules) {
      if (now?.scheduled.some((one) => one.kind === kind && one.scheduledAt === scheduledAt)) continue;
      changes += 1;
      await client
        .call('entries', kind, { projectSlug, id, locale, scheduledAt, timezone })
        .catch((error: unknown) => {
          loseUnlessFatal(restore, error, {
            kind: 'entry',
            where,
            what: `the schedule of ${scheduledAt}`,
          });
        });
    }
  }
  return changes;
}

/** Brings entries to their states in workflows. */
export async function restoreStates(restore: Restore, settings: SettingsRestore): Promise<void> {
  const { client, projectSlug } = restore;
  for await (const all of batches(restore.reader.lines('entries.jsonl'))) {
    const batch = all.filter(({ locales }) => Object.values(locales).some(({ state }) => state !== null));
    const groups = new Map<string, { to: string; locale: string | undefined; entryIds: Set<string> }>();
    for (const [id, present] of await presentIn(restore, batch))
      for (const [locale, entry] of present) {
        const to = batch.find((line) => line.id === id)?.locales[locale]?.state ?? null;
        if (to === null || entry.workflow === null || entry.workflow.state === to) continue;
        const { slug } = entry.workflow;
        const isPerLocale = settings.schema.workflows?.find((one) => one.slug === slug)?.perLocale === true;
        const group = { to, locale: isPerLocale ? locale : undefined, entryIds: new Set<string>() };
        const key = JSON.stringify([group.to, group.locale]);
        groups.set(key, groups.get(key) ?? group);
        groups.get(key)?.entryIds.add(entry.id);
      }
    if (groups.size > 0) await settings.relax();
    for (const { to, locale, entryIds } of groups.values()) {
      const params = { to, ...(locale !== undefined && { locale }), atomic: false };
      const { data } = await client.call('entries', 'bulk', {
        projectSlug,
        action: 'workflowTransition',
        entryIds: [...entryIds],
        params,
      });
      for (const { entryId, ok, message = '' } of data.results)
        if (!ok)
          restore.report.losses.add('entry', `entry ${entryId}`, [
            `the state ${to}`,
            message,
            'Change it by hand.',
          ]);
    }
  }
}
