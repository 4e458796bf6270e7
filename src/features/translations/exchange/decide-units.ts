import type { ImportedUnit } from '../../../../contracts/resources/translation-exchange.js';
import { codeIds, type Inline } from '../../../content/xliff/inline.js';
import type { ReadUnit } from '../../../content/xliff/read-xliff.js';
import type { Unit } from '../../../content/xliff/units.js';
import { unitIdOf } from '../../../content/xliff/write-xliff.js';

export interface DecidedUnit extends ImportedUnit {
  readonly name: string;
  readonly target: readonly Inline[];
}

interface Decision {
  /** As the file was exported. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly isStale: (field: string) => boolean;
}

type Verdict = Pick<ImportedUnit, 'outcome' | 'code' | 'message'>;
const verdict = (
  outcome: ImportedUnit['outcome'],
  code: string | null = null,
  message: string | null = null,
): Verdict => ({
  outcome,
  code,
  message,
});

const isBlank = (content: readonly Inline[]): boolean =>
  content.every((inline) => inline.kind === 'text' && inline.text.trim() === '');

const hasSameCodes = (one: readonly Inline[], other: readonly Inline[]): boolean =>
  codeIds(one).sort().join(' ') === codeIds(other).sort().join(' ');

function judge({ field, segment }: Unit, read: ReadUnit | undefined, isStale: boolean): Verdict {
  if (read === undefined) return verdict('invalid', 'missing_unit', 'The file lacks this unit.');
  if (read.target === null || (isBlank(read.target) && !isBlank(segment.content)))
    return verdict('untranslated');
  if (!hasSameCodes(segment.content, read.target))
    return verdict(
      'invalid',
      'changed_codes',
      'Marks and placeholders of the source must appear exactly once.',
    );
  if (isStale)
    return verdict('stale_source', 'stale_source', `The source of ${field} has changed since the export.`);
  return verdict('applied');
}

/** A field is applied with all its units or not at all. */
export function decideUnits(
  units: readonly Unit[],
  read: ReadonlyMap<string, ReadUnit>,
  { hashes, isStale }: Decision,
): DecidedUnit[] {
  const judged = units.map((unit): DecidedUnit => {
    const id = unitIdOf({ name: unit.name, hash: hashes[unit.field] ?? '' });
    const found = read.get(id);
    return {
      unit: id,
      field: unit.field,
      name: unit.name,
      target: found?.target ?? [],
      ...judge(unit, found, isStale(unit.field)),
    };
  });
  const incomplete = new Set(judged.filter(({ outcome }) => outcome !== 'applied').map(({ field }) => field));
  return judged.map((unit) => {
    if (unit.outcome !== 'applied' || !incomplete.has(unit.field)) return unit;
    return {
      ...unit,
      ...verdict('invalid', 'incomplete_field', 'Another unit of the field cannot be applied.'),
    };
  });
}
