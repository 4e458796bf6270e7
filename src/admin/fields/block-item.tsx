import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/client.js';
import { typeOf, useProject, type ContentType } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { t } from '../texts/index.js';
import type { FieldEditorProps } from './field-editor.js';

type Values = Readonly<Record<string, unknown>>;

/** A link to a block, with the fields that are changed in it; or a new block. */
export interface BlockValue {
  readonly _ref?: string;
  readonly _type?: string;
  readonly fields?: Values;
}

interface FieldsProps extends FieldEditorProps {
  readonly type: ContentType;
  /** What is stored of the block. */
  readonly stored: Values;
}

function BlockFields({ type, stored, row: Row, ...props }: FieldsProps) {
  const block = props.value as BlockValue;
  const shown: Values = { ...stored, ...block.fields };
  return (
    <div className="stack">
      {type.fields
        .filter(({ hidden }) => !hidden)
        .map((field) => (
          <Row
            field={field}
            idPrefix={props.id}
            isReadOnly={props.isReadOnly}
            key={field.apiName}
            messages={[]}
            onChange={(value) =>
              props.onChange({ ...block, fields: { ...block.fields, [field.apiName]: value } })
            }
            value={shown[field.apiName]}
          />
        ))}
    </div>
  );
}

/** What is stored of the block, and what was typed in it until it was saved, while that is read again. */
function useStoredBlock({ _ref: id, fields }: BlockValue) {
  const project = useProject();
  const { locale } = usePlace();
  const query = useQuery(
    api.entries.get.queryOptions(
      { projectSlug: project.slug, id: id ?? '', locale },
      { enabled: id !== undefined, retry: false },
    ),
  );
  const typed = useRef<{ readonly fields: Values; readonly readAt: number }>(undefined);
  if (fields !== undefined) typed.current = { fields, readAt: query.dataUpdatedAt };
  else if (typed.current?.readAt !== query.dataUpdatedAt) typed.current = undefined;
  const stored = query.data?.data;
  const known: Values | undefined =
    stored === undefined ? typed.current?.fields : { ...stored.fields, ...typed.current?.fields };
  return { stored, known, error: query.error };
}

/** New blocks are open at once; stored ones are read and can be folded. */
export function BlockItem(props: FieldEditorProps) {
  const project = useProject();
  const block = props.value as BlockValue;
  const { _ref: id } = block;
  const [isOpen, setIsOpen] = useState(id === undefined);
  const { stored, known, error } = useStoredBlock(block);
  const type = typeOf(project, block._type ?? stored?.contentTypeApiName ?? '');
  if (error !== null || (type === undefined && stored !== undefined))
    return <p className="soft">{t('field.missing')}</p>;
  if (type === undefined || (id !== undefined && known === undefined))
    return <p className="soft">{t('app.loading')}</p>;
  const title = titleOf({ slug: '', fields: { ...known, ...block.fields } }, type);
  return (
    <div className="block">
      <div className="row">
        <span className="grow clip">
          <strong>{type.name}</strong>{' '}
          <span className="soft">{id === undefined ? t('block.new') : title}</span>
        </span>
        {stored !== undefined && <StatusBadge status={stored.status} />}
        <button
          aria-expanded={isOpen}
          aria-label={`${isOpen ? t('block.fold') : t('block.edit')}: ${props.label}`}
          className="button"
          id={props.id}
          onClick={() => setIsOpen(!isOpen)}
          type="button"
        >
          {isOpen ? t('block.fold') : t('block.edit')}
        </button>
      </div>
      {isOpen && <BlockFields {...props} stored={known ?? {}} type={type} />}
    </div>
  );
}
