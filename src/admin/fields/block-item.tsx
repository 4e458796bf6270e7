import { useContext, useEffect, useState, type ReactNode } from 'react';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import { typeOf, useProject } from '../api/project-data.js';
import { blockTitle } from '../editor/block-text.js';
import { blockLabel } from '../editor/path-text.js';
import { rootOf } from '../editor/paths.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { BlockFields } from './block-fields.js';
import { DiscussionContext } from './discussion.js';
import type { FieldEditorProps } from './field-editor.js';
import { useFormScope } from './form-scope.js';
import { Messages } from './issue-text.js';
import { SharedBlock } from './shared-block.js';

/** What the user asked of all blocks of a list; a new object for each time. */
export interface Folding {
  readonly isOpen: boolean;
}

interface Props extends FieldEditorProps {
  /** Where it is in its list, and what is done with it there. */
  readonly place: { readonly index: number; readonly tools: ReactNode };
  readonly folding: Folding | undefined;
  /** Added just now: it is open at once. */
  readonly isNew: boolean;
}

/** An item of a list of blocks: one of the entry, or a link to a shared one. */
export function BlockItem(props: Props) {
  const {
    value,
    place: { tools },
  } = props;
  return isOwnBlock(value) ? (
    <OwnItem {...props} block={value} />
  ) : (
    <SharedBlock {...props} tools={tools} value={value} />
  );
}

/** Blocks with problems open once, and one with a field that is looked for opens. */
function useOpen({ isNew, folding }: Props, problemCount: number, at: string) {
  const { revealed } = useFormScope();
  const [isOpen, setIsOpen] = useState(isNew);
  useEffect(() => {
    if (problemCount > 0) setIsOpen(true);
  }, [problemCount]);
  useEffect(() => {
    if (folding !== undefined) setIsOpen(folding.isOpen);
  }, [folding]);
  useEffect(() => {
    if (revealed?.path.startsWith(at) === true) setIsOpen(true);
  }, [revealed]);
  return [isOpen, setIsOpen] as const;
}

function OwnItem({ block, ...props }: Props & { readonly block: OwnBlock }) {
  const { index, tools } = props.place;
  const project = useProject();
  const { problems, mayWrite, actions } = useFormScope();
  const at = `${props.path}[${block._ref}]`;
  const problemCount = [...problems.keys()].filter((path) => path.startsWith(at)).length;
  const commentCount = useContext(DiscussionContext).countIn(block);
  const [isOpen, setIsOpen] = useOpen(props, problemCount, at);
  const type = typeOf(project, block._type);
  const label = blockLabel(project, index, block._type);
  const title = blockTitle(block, type);
  const isRead = !mayWrite({ apiName: rootOf(props.path), localized: true });
  const action = t(isOpen ? 'block.fold' : isRead ? 'block.show' : 'block.edit');
  return (
    <div className={`block${problemCount > 0 ? ' invalid' : ''}${isOpen ? '' : ' folded'}`}>
      <div className="row">
        <span className="grow clip">
          <strong>{label}</strong> <span className="soft">{title}</span>
        </span>
        {problemCount > 0 && (
          <span className="badge failed">{t('block.problems', { count: problemCount })}</span>
        )}
        {commentCount > 0 && !isOpen && (
          <span className="badge block-comments">
            <Icon name="comment" />
            <span className="hidden-text">{t('comments.title')}:</span> {commentCount}
          </span>
        )}
        <button
          aria-expanded={isOpen}
          aria-label={`${action}: ${props.label}`}
          className="button"
          disabled={type === undefined}
          id={props.id}
          onClick={() => setIsOpen(!isOpen)}
          type="button"
        >
          {action}
        </button>
        {tools}
      </div>
      <Messages messages={problems.get(at) ?? []} />
      {isOpen && type !== undefined && <BlockFields {...props} block={block} type={type} />}
      {isOpen && !props.isReadOnly && actions?.share !== undefined && (
        <p className="row">
          <button
            aria-label={`${t('block.share')}: ${props.label}`}
            className="button"
            onClick={() => actions.share?.(block._ref)}
            title={t('block.shareHint')}
            type="button"
          >
            {t('block.share')}
          </button>
        </p>
      )}
    </div>
  );
}
