import type { ReactNode } from 'react';
import type { Entry } from '../../api/project-data.js';
import { translationText } from '../../planning/translations/statuses.js';
import { localeName, t } from '../../texts/index.js';
import type { TranslationWork } from './use-beside.js';

/** Why a translation is stale, if it is. */
function reasonOf({ status, staleReason, staleComment, outdatedFields }: TranslationWork) {
  if (status !== 'stale' && outdatedFields.length === 0) return undefined;
  if (staleReason === 'marked') return staleComment ?? t('beside.staleMarked');
  return t('beside.staleSource', { count: outdatedFields.length });
}

interface Props {
  readonly entry: Entry;
  readonly locale: string;
  /** Absent for the source. */
  readonly work: TranslationWork | undefined;
  readonly children: ReactNode;
}

/** The head of a column: the locale, its status, and whether it is up to date. */
export function LocaleTitle({ entry, locale, work, children }: Props) {
  const status = entry.locales.find((one) => one.locale === locale)?.status ?? 'missing';
  const reason = work === undefined ? undefined : reasonOf(work);
  return (
    <div className="locale-title">
      <p className="row">
        <strong>{localeName(locale)}</strong>
        <span className={`badge ${status}`}>{t(`status.${status}`)}</span>
        {work !== undefined && <span className="badge">{translationText(work.status)}</span>}
      </p>
      {reason !== undefined && <p className="notice stale-reason">{reason}</p>}
      <p className="row">{children}</p>
    </div>
  );
}
