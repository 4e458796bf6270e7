import { Fragment, useMemo, useRef, type ReactNode } from 'react';
import type { ContentType, Field } from '../api/project-data.js';
import { FieldRow } from '../fields/field-row.js';
import { FormScopeContext, type BlockActions, type FormScope } from '../fields/form-scope.js';
import { shownFields } from '../fields/block-fields.js';
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

const noMessages: readonly string[] = [];

/** One handler for each field, the same at each render, so that a key in one field renders no other. */
function useFieldHandlers(onChange: Props['onChange']): (name: string) => (value: unknown) => void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const handlers = useRef(new Map<string, (value: unknown) => void>());
  return (name) => {
    const known = handlers.current.get(name);
    if (known !== undefined) return known;
    const handler = (value: unknown): void => latest.current((now) => withField(now, name, value));
    handlers.current.set(name, handler);
    return handler;
  };
}

/** What blocks need of the form; a new object only where that changes. */
function useFormScopeOf(props: Props, isReadOnly: (field: FieldKey) => boolean): FormScope {
  const { problems, revealed, blockActions } = props;
  const latest = useRef({ isReadOnly, blockActions });
  latest.current = { isReadOnly, blockActions };
  const [mayShare, mayDetach] = [blockActions?.share !== undefined, blockActions?.detach !== undefined];
  return useMemo(
    () => ({
      problems,
      revealed,
      mayWrite: (field) => !latest.current.isReadOnly(field),
      actions: {
        share: mayShare ? (id: string) => latest.current.blockActions?.share?.(id) : undefined,
        detach: mayDetach ? (id: string) => latest.current.blockActions?.detach?.(id) : undefined,
      },
    }),
    [problems, revealed, props.isReadOnly, props.type, mayShare, mayDetach],
  );
}

/** The form of a content type: a row per field, in groups, and the slug. */
export function FieldForm(props: Props) {
  const { type, draft, problems, idPrefix, onChange, mayWriteField, around = (_, row) => row } = props;
  const isReadOnly = (field: FieldKey): boolean => props.isReadOnly || mayWriteField?.(field) === false;
  const handlerOf = useFieldHandlers(onChange);
  const scope = useFormScopeOf(props, isReadOnly);
  return (
    <FormScopeContext value={scope}>
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
                  messages={problems.get(field.apiName) ?? noMessages}
                  onChange={handlerOf(field.apiName)}
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
