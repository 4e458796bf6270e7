import { invalidInput, AppError } from '../../../../../contracts/errors.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { TranslationImportReport } from '../../../../../contracts/editorial/translations/translation-job.js';
import { readXliff, XliffProblem, type ReadXliff } from '../../../../content/xliff/read-xliff.js';
import { runInTurns } from '../../../../infrastructure/lazy.js';
import type { UnitOfWork, RunPart } from '../../../../persistence/work/unit-of-work.js';
import type { RichTextConverter } from '../../../entries/entries/index.js';
import { lockTranslation } from '../lock-translation.js';
import { applyXliff } from './apply-xliff.js';
import { isPermitted, refusal } from '../../../../access/authorize.js';
import { originalOf, writeXliff } from '../../../../content/xliff/write-xliff.js';
import { TranslatorFailure, type Translator } from '../../../../infrastructure/translator/http-translator.js';
import { readTranslatable } from './export-translation.js';

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

type Input = InputOf<typeof translations.suggest>;

interface SuggestServices {
  readonly translator: Translator | undefined;
  readonly markup: RichTextConverter;
}

interface Request {
  readonly xliff: string;
  readonly original: string;
  readonly sourceLocale: string;
  /** False: every field has a value already. */
  readonly isNeeded: boolean;
  /** Of the entry. */
  readonly version: number;
}

/** The fields without a value, as a file for the engine. */
async function prepare(work: UnitOfWork, input: Input): Promise<Request> {
  await lockTranslation(work, input.entryId, input.locale);
  if (!isPermitted(work, 'entries.update')) throw refusal(work, 'entries.update');
  const { entry, units: all, sourceLocale, version, writtenFields } = await readTranslatable(work, input);
  const units = all
    .filter(({ field }) => !writtenFields.has(field))
    .map(({ written: _written, ...unit }) => ({ ...unit, target: null, state: 'initial' as const }));
  const xliff = writeXliff({ entryId: entry.id, version, sourceLocale, targetLocale: input.locale, units });
  const original = originalOf(entry.id, version);
  return { xliff, original, sourceLocale, isNeeded: units.length > 0, version: entry.version };
}

const failures = {
  failed: 'translation_failed',
  unavailable: 'translation_unavailable',
  timeout: 'translation_timeout',
} as const;

/** @throws AppError 502 `translation_failed` unless it is the file that was sent */
async function parse(reply: string, { original, sourceLocale }: Request, locale: string): Promise<ReadXliff> {
  try {
    const file = await runInTurns(readXliff(reply));
    const isSame = file.original === original && file.sourceLocale === sourceLocale;
    if (isSame && file.targetLocale === locale) return file;
    throw new AppError('translation_failed', { reason: 'other_file' });
  } catch (error) {
    if (error instanceof XliffProblem)
      throw new AppError('translation_failed', { reason: error.problem.code });
    throw error;
  }
}

async function ask(translator: Translator, request: Request, locale: string): Promise<ReadXliff> {
  const reply = await translator.translate(request.xliff).catch((error: unknown) => {
    if (!(error instanceof TranslatorFailure)) throw error;
    throw new AppError(failures[error.kind], { reason: error.reason });
  });
  return parse(reply, request, locale);
}

/** Fills fields without a value. The engine is asked outside of any transaction. */
export async function suggestTranslation(
  inPart: RunPart,
  input: Input,
  { translator, markup }: SuggestServices,
): Promise<{ data: TranslationImportReport }> {
  const { projectSlug, entryId, locale } = input;
  const request = await inPart((work) => prepare(work, input));
  if (translator === undefined) throw new AppError('not_configured', { setting: 'TRANSLATION_URL' });
  if (!request.isNeeded)
    return { data: { entryId, locale, version: request.version, appliedFields: [], units: [] } };
  const file = await ask(translator, request, locale);
  const action = 'translation.suggest';
  const comment = 'Suggested by machine translation.';
  const application = { projectSlug, action, comment, applyStale: false, isFilling: true } as const;
  return inPart(async (work) => {
    const target = await lockTranslation(work, entryId, locale);
    return { data: await applyXliff(work, { file, target }, { ...application, converter: markup }) };
  });
}
