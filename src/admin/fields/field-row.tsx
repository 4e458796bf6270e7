import { memo, Suspense } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { useFieldDiscussion, type FieldDiscussion } from './discussion.js';
import type { FieldRowProps } from './field-editor.js';
import { Messages } from './issue-text.js';
import { ListEditor } from './list-editor.js';
import { editorOf } from './registry.js';
import { Icon } from '../ui/icon.js';
import { hasRanges, holdsBlocks } from './kinds.js';
import { useFormScope } from './form-scope.js';
import { PresenceMark } from './presence-mark.js';
import { messagesWithin, type Problems } from '../editor/problems.js';
import { selectedIn } from './selected-text.js';

interface Props {
  readonly field: Field;
  /** Of the control of the field. */
  readonly controlId: string;
  readonly discussion: FieldDiscussion;
}

/** Opens the comments on a field, and starts one on it or on what is selected in it. */
function CommentButton({ field, controlId, discussion }: Props) {
  const { openCount, onComment, onOpen } = discussion;
  if (openCount === 0 && onComment === undefined) return null;
  const name = field.name;
  return (
    <button
      className={openCount > 0 ? 'button plain comment-button used' : 'button plain comment-button'}
      onClick={() => {
        if (onComment === undefined) onOpen();
        else onComment(hasRanges(field) ? selectedIn(controlId) : undefined);
      }}
      title={t('comments.onField', { field: name })}
      type="button"
    >
      <Icon name="comment" />
      {openCount > 0 && <span aria-hidden="true">{openCount}</span>}
      {/* Not a label: that would name the control of the field as well. */}
      <span className="hidden-text">
        {openCount > 0
          ? t('comments.onFieldCount', { field: name, count: openCount })
          : t('comments.onField', { field: name })}
      </span>
    </button>
  );
}

function Marks({ field }: { readonly field: Field }) {
  return (
    <>
      {field.required && <span className="mark">{t('entry.required')}</span>}
      {!field.localized && <span className="mark">{t('entry.shared')}</span>}
      {field.deprecated && <span className="mark">{t('entry.deprecated')}</span>}
    </>
  );
}

interface LabelProps {
  readonly id: string;
  readonly field: Field;
  readonly isGrouped: boolean;
}

function FieldLabel({ id, field, isGrouped }: LabelProps) {
  const label = (
    <>
      {field.name} <Marks field={field} />
    </>
  );
  return isGrouped ? (
    <span className="label grow" id={`${id}-label`}>
      {label}
    </span>
  ) : (
    <label className="label grow" htmlFor={id}>
      {label}
    </label>
  );
}

/** Of the form of the edited entry; other forms in it have another prefix. */
const MAIN_FORM = 'field';
/** Blocks have the id of their list as a prefix. */
const isInMainForm = (idPrefix: string): boolean =>
  idPrefix === MAIN_FORM || idPrefix.startsWith(`${MAIN_FORM}-`);

/** Messages of the field, and of items that it shows as one. */
const messagesIn = (own: readonly string[], problems: Problems, path: string): readonly string[] => [
  ...new Set([...own, ...messagesWithin(problems, path)]),
];

/** Label, control, description and messages of one field; rendered again only when one of its properties changes. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { field, value, isReadOnly, idPrefix = MAIN_FORM, onChange } = props;
  const id = `${idPrefix}-${field.apiName}`;
  const path = props.path ?? field.apiName;
  const { problems } = useFormScope();
  const found = useFieldDiscussion(field, path);
  const discussion = isInMainForm(idPrefix) ? found : undefined;
  const { editor: Editor, list, isGroup = false } = editorOf(field.type);
  const isListed = field.isList && list === undefined;
  const Control = field.isList ? (list ?? Editor) : Editor;
  const showsItems = isListed || holdsBlocks(field);
  const messages = showsItems ? props.messages : messagesIn(props.messages, problems, path);
  const control = {
    id,
    field,
    value,
    isReadOnly,
    onChange,
    path,
    label: field.name,
    row: FieldRow,
    isInvalid: messages.length > 0,
    describedBy: `${id}-note`,
  };
  const isGrouped = isGroup || field.isList;
  return (
    <div
      aria-describedby={isGrouped ? `${id}-note` : undefined}
      aria-labelledby={isGrouped ? `${id}-label` : undefined}
      className="field"
      data-path={path}
      data-row={id}
      role={isGrouped ? 'group' : undefined}
    >
      <div className="field-head">
        <FieldLabel field={field} id={id} isGrouped={isGrouped} />
        {id.startsWith(`${MAIN_FORM}-`) && <PresenceMark isShared={!field.localized} path={path} />}
        {discussion !== undefined && <CommentButton controlId={id} discussion={discussion} field={field} />}
      </div>
      <Suspense
        fallback={<p className={field.type === 'richText' ? 'rich waiting' : 'soft'}>{t('app.loading')}</p>}
      >
        {isListed ? (
          <ListEditor {...control} item={(item) => <Editor {...control} {...item} />} />
        ) : (
          <Control {...control} discussion={discussion} />
        )}
      </Suspense>
      <div id={`${id}-note`}>
        {field.description !== null && <p className="hint">{field.description}</p>}
        <Messages messages={messages} />
      </div>
    </div>
  );
});
