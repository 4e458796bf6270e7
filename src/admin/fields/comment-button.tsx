import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import type { FieldDiscussion } from './discussion.js';
import { hasRanges } from './kinds.js';
import { selectedIn } from './selected-text.js';

interface Props {
  readonly field: Field;
  /** Of the control of the field. */
  readonly controlId: string;
  readonly discussion: FieldDiscussion;
}

/** Opens the comments on a field, and starts one on it or on what is selected in it. */
export function CommentButton({ field, controlId, discussion }: Props) {
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
