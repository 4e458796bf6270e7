import type { ReactNode } from 'react';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { useProject, type ContentType } from '../../api/project-data.js';
import { FieldRow } from '../../fields/field-row.js';
import { FormScopeContext } from '../../fields/form-scope.js';
import { localeName, t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { hasLocalizedValues, isBlank, withLocalizedValues } from '../localized-blocks.js';
import { pathText } from '../path-text.js';
import { rootOf } from '../paths.js';
import { SLUG, withField, withSlug, withTakenBack, type Content, type Draft } from '../draft.js';
import { fieldLabel } from '../field-label.js';
import type { FieldKey } from '../field-form.js';
import { PlaceContext } from '../place.js';
import { noProblems, type Problems } from '../problems.js';
import { directionOf } from './direction.js';
import type { TranslationWork } from './use-beside.js';
import { contentText } from '../block-text.js';
import { ChangeView } from '../../ui/change-view.js';

type OutdatedField = TranslationWork['outdated'][number];

interface StaleNoteProps {
  readonly label: string;
  readonly outdated: OutdatedField;
}

/** The source of the field as it was translated and as it is published now. */
function StaleNote({ label, outdated }: StaleNoteProps) {
  const project = useProject();
  const { then, now, sourceVersion } = outdated;
  const reason =
    sourceVersion === null ? t('beside.staleNew') : t('beside.staleField', { version: sourceVersion });
  return (
    <details className="stale" dir="ltr">
      <summary>{reason}</summary>
      <ChangeView
        change={{ path: [label], from: then, to: now }}
        text={(value, other) => contentText(project, value, other)}
      />
    </details>
  );
}

/** One of the two locales. */
export interface Side {
  readonly siteId: string;
  readonly locale: string;
  /** Undefined until it is loaded. */
  readonly content: Content | undefined;
  readonly work: TranslationWork | undefined;
  readonly problems?: Problems;
  readonly mayWrite: (field: FieldKey) => boolean;
  readonly change: (change: (draft: Draft) => Draft) => void;
}

interface Props {
  readonly type: ContentType;
  readonly field: FieldKey;
  readonly main: Side;
  readonly other: Side;
  readonly children: ReactNode;
}

interface OtherProps extends Pick<Props, 'type' | 'field'> {
  readonly side: Side;
  readonly content: Content;
}

/** The value in the other locale. */
function OtherValue({ type, field: key, side, content }: OtherProps) {
  const { locale, siteId, problems = noProblems, mayWrite, change } = side;
  const { apiName } = key;
  const label = t('beside.field', { field: fieldLabel(type, apiName), locale: localeName(locale) });
  const messages = problems.get(apiName) ?? [];
  const field = type.fields.find((one) => one.apiName === apiName);
  if (field === undefined)
    return (
      <label className="field" data-path={apiName}>
        <span className="label">{label}</span>
        <input
          aria-invalid={messages.length > 0}
          className="input"
          onChange={({ target }) => change((now) => withSlug(now, target.value))}
          readOnly={!mayWrite(key)}
          value={content.slug}
        />
        <span className="problem">{messages.join(' ')}</span>
      </label>
    );
  return (
    <PlaceContext value={{ siteId, locale }}>
      <FormScopeContext value={{ problems, mayWrite }}>
        <FieldRow
          field={{ ...field, name: label, description: null }}
          idPrefix="beside"
          isReadOnly={!mayWrite(key)}
          messages={messages}
          onChange={(value) => change((now) => withField(now, apiName, value))}
          value={content.fields[apiName]}
        />
      </FormScopeContext>
    </PlaceContext>
  );
}

interface CopyProps extends Pick<Props, 'type' | 'field'> {
  readonly from: Side;
  readonly to: Side;
}

/** Copies the value of one locale as it is typed; it is saved with the other one. */
function CopyButton({ type, field, from, to }: CopyProps) {
  const project = useProject();
  const { apiName, localized } = field;
  const [given, known] = [from, to].map(({ content }) => content?.fields[apiName] ?? null);
  const value = localized ? given : withLocalizedValues(project, given, known);
  const mayWrite = to.mayWrite({ apiName, localized: true });
  const { content } = to;
  if (apiName === SLUG || content === undefined || !mayWrite || isBlank(given) || isEqualJson(known, value))
    return null;
  const copy = (): void => {
    const after = { ...content, fields: { ...content.fields, [apiName]: value } };
    to.change((now) => withField(now, apiName, value));
    notify(t('beside.copiedField', names), () => to.change((now) => withTakenBack(now, content, after)));
  };
  const names = { field: fieldLabel(type, apiName), locale: localeName(from.locale) };
  return (
    <p dir="ltr">
      <button
        aria-label={t('beside.copyField', names)}
        className="button plain small"
        onClick={copy}
        type="button"
      >
        {t('beside.copy', { locale: localeName(from.locale) })}
      </button>
    </p>
  );
}

/** The row of a field in two locales; of a list of blocks if they have values of each. */
export function SideRow({ type, field, main, other, children }: Props) {
  const { apiName } = field;
  const label = fieldLabel(type, apiName);
  const project = useProject();
  const isWritten = [main, other].some(({ content }) =>
    hasLocalizedValues(project, field, content?.fields[apiName]),
  );
  const outdatedIn = ({ work }: Side) =>
    (work?.outdated ?? []).filter((one) => rootOf(one.field) === apiName);
  const notes = (side: Side) =>
    outdatedIn(side).map((one) => (
      <StaleNote
        key={one.field}
        label={pathText({ project, type, known: [side.content?.fields ?? {}] }, one.field)}
        outdated={one}
      />
    ));
  return (
    <div className="locale-row">
      <div className="locale-cell main" dir={directionOf(main.locale)}>
        {children}
        {notes(main)}
        {isWritten && other.content !== undefined && (
          <CopyButton field={field} from={other} to={main} type={type} />
        )}
      </div>
      <div className="locale-cell other" dir={directionOf(other.locale)}>
        {!isWritten && <p className="soft small">{t('beside.shared', { field: label })}</p>}
        {isWritten && other.content !== undefined && (
          <OtherValue content={other.content} field={field} side={other} type={type} />
        )}
        {notes(other)}
        {isWritten && <CopyButton field={field} from={main} to={other} type={type} />}
      </div>
    </div>
  );
}
