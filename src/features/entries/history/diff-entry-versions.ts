import { AppError } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { VersionDiff } from '../../../../contracts/resources/entry-version.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { changedNames } from '../changed-names.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository, type Snapshot } from '../history.repository.js';
import { noValues } from '../read-values.js';

type Change = VersionDiff['changes'][number];

function changesOf(locale: string | null, from: FieldValues, to: FieldValues): Change[] {
  return changedNames(from, to).map((field) => ({
    locale,
    field,
    from: from[field] ?? null,
    to: to[field] ?? null,
  }));
}

function ownValues({ locales }: Snapshot, code: string): FieldValues {
  const state = locales.find(({ locale }) => locale === code);
  return state === undefined ? {} : { _slug: state.slug, ...state.fields };
}

/** Shared values first, then each locale. */
export async function diffEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.diffVersions>,
): Promise<{ data: VersionDiff }> {
  const entry = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const { from, to = entry.version } = input;
  const history = work.use(HistoryRepository);
  const [before, after] = [await history.snapshotAt(entry.id, from), await history.snapshotAt(entry.id, to)];
  if (before === undefined) throw new AppError('version_not_found', { path: ['from'] });
  if (after === undefined) throw new AppError('version_not_found', { path: ['to'] });
  const codes = [...new Set([...before.locales, ...after.locales].map(({ locale }) => locale))];
  const changes = [
    ...changesOf(null, before.shared, after.shared),
    ...codes.flatMap((code) => changesOf(code, ownValues(before, code), ownValues(after, code))),
  ];
  return { data: { from, to, changes } };
}
