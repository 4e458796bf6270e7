import { Fragment, type ReactNode } from 'react';
import type { ContentType, Field } from '../api/project-data.js';
import { FieldRow } from '../fields/field-row.js';
import { FormScopeContext, type BlockActions } from '../fields/form-scope.js';
import { shownFields } from '../fields/shown-fields.js';
import { t } from '../texts/index.js';
import { SLUG, withField, withSlug, type Draft } from './draft.js';
import type { Problems } from './problems.js';

/** A field, or `_slug`. */
export type FieldKey = Pick<Field, 'apiName' | 'localized'>;

const slugKey: FieldKey = { apiName: SLUG, localized: true };

interface Props {
  readonly type: ContentType;
  readonly draft: Draft;
  readonly problems: Problems;
  readonly isReadOnly: boolean;
  /** The path that the user is led to. */
  readonly revealed?: { readonly path: string } | undefined;
  /** Absent: every field may be written. */
  readonly mayWriteField?: (field: FieldKey) => boolean;
  /** Absent: blocks are not shared and detached. */
  readonly blockActions?: BlockActions;
  /** Distinguishes the fields of several forms. */
  readonly idPrefix?: string;
  /** Shows a row with what belongs beside it. */
  readonly around?: (field: FieldKey, row: ReactNode) => ReactNode;
  readonly onChange: (change: (draft: Draft) => Draft) => void;
}

interface Group {
  readonly name: string | null;
  readonly fields: readonly Field[];
}

/** In the order of the fields; those without a group come where they are. */
function groupsOf({ fields }: ContentType, values: Draft['now']['fields']): Group[] {
  const groups = new Map<string | null, Field[]>();
  for (const field of shownFields(fields, values))
    groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups].map(([name, grouped]) => ({ name, fields: grouped }));
}

function SlugRow({ draft, problems, isReadOnly, idPrefix = 'field', onChange }: Props) {
  const messages = problems.get(SLUG) ?? [];
  const id = `${idPrefix}-slug`;
  return (
    <div className="field" data-path={SLUG}>
      <label className="label" htmlFor={id}>
        {t('entry.slug')}
      </label>
      <input
        aria-describedby={`${id}-note`}
        aria-invalid={messages.length > 0}
        className="input"
        id={id}
        onChange={({ target }) => onChange((now) => withSlug(now, target.value))}
        readOnly={isReadOnly}
        value={draft.now.slug}
      />
      <p className={messages.length > 0 ? 'problem' : 'hint'} id={`${id}-note`}>
        {messages.join(' ') || t('entry.slugHint')}
      </p>
    </div>
  );
}

/** The form of a content type: a row per field, in groups, and the slug. */
export function FieldForm(props: Props) {
  const { type, draft, problems, idPrefix, onChange, mayWriteField, around = (_, row) => row } = props;
  const isReadOnly = (field: FieldKey): boolean => props.isReadOnly || mayWriteField?.(field) === false;
  return (
    <FormScopeContext
      value={{
        problems,
        mayWrite: (field) => !isReadOnly(field),
        revealed: props.revealed,
        actions: props.blockActions,
      }}
    >
      {groupsOf(type, draft.now.fields).map(({ name, fields }) => (
        <section aria-label={name ?? type.name} className="stack" key={name ?? ''}>
          {name !== null && <h2 className="group-title">{name}</h2>}
          {fields.map((field) => (
            <Fragment key={field.apiName}>
              {around(
                field,
                <FieldRow
                  field={field}
                  idPrefix={idPrefix}
                  isReadOnly={isReadOnly(field)}
                  messages={problems.get(field.apiName) ?? []}
                  onChange={(value) => onChange((now) => withField(now, field.apiName, value))}
                  value={draft.now.fields[field.apiName]}
                />,
              )}
            </Fragment>
          ))}
        </section>
      ))}
      {!type.isBlock && around(slugKey, <SlugRow {...props} isReadOnly={isReadOnly(slugKey)} />)}
    </FormScopeContext>
  );
}
