import { invalidInput } from '../../../../contracts/errors.js';
import type { translations } from '../../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TranslationImportReport } from '../../../../contracts/resources/translation-exchange.js';
import { readXliff, XliffProblem, type ReadXliff } from '../../../content/xliff/read-xliff.js';
import { runInTurns } from '../../../infrastructure/turns.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { RichTextConverter } from '../../entries/index.js';
import { lockTranslation } from '../lock-translation.js';
import { applyXliff } from './apply-xliff.js';

/** @throws AppError 422 `validation_failed` with the path in the file */
export async function parseXliff(xliff: string): Promise<ReadXliff> {
  try {
    return await runInTurns(readXliff(xliff));
  } catch (error) {
    if (!(error instanceof XliffProblem)) throw error;
    const { path, code, message } = error.problem;
    throw invalidInput({ path: ['xliff', ...path.slice(1)], code, message });
  }
}

/** Applies the targets of an exported file to the draft of the locale. */
export async function importTranslation(
  work: UnitOfWork,
  { projectSlug, entryId, locale, xliff, applyStale }: InputOf<typeof translations.import>,
  converter: RichTextConverter,
): Promise<{ data: TranslationImportReport }> {
  const file = await parseXliff(xliff);
  const target = await lockTranslation(work, entryId, locale);
  const action = 'translation.import';
  const application = { projectSlug, action, applyStale, isFilling: false, converter } as const;
  const comment = 'Imported from XLIFF.';
  return { data: await applyXliff(work, { file, target }, { ...application, comment }) };
}
