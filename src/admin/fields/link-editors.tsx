import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { api } from '../api/client.js';
import { typeOf, useProject, type Field } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { AssetCard } from '../media/asset-card.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { IconButton } from '../ui/icon-button.js';
import { EntryPicker } from './entry-picker.js';
import type { FieldEditor, FieldEditorProps } from './field-editor.js';
import { lazyPart } from '../ui/lazy-part.js';

/** With the upload of files, in a chunk that is loaded when a file is chosen. */
const AssetPicker = lazyPart(() => import('../media/asset-picker.js'), 'AssetPicker');

interface EntryLink {
  readonly _ref: string;
  readonly _type?: string;
}

export const linkOf = (value: unknown): EntryLink | undefined =>
  typeof value === 'object' && value !== null && '_ref' in value ? (value as EntryLink) : undefined;

/** Absent: every type but blocks. */
const allowedTypes = ({ settings }: Field): readonly string[] | undefined =>
  settings.contentTypes as string[] | undefined;

export function LinkedEntry({ link }: { readonly link: EntryLink }) {
  const project = useProject();
  const { locale } = usePlace();
  const { data, error } = useQuery(
    api.entries.get.queryOptions({ projectSlug: project.slug, id: link._ref, locale }, { retry: false }),
  );
  if (error !== null) return <span className="soft grow">{t('field.missing')}</span>;
  if (data === undefined) return <span className="soft grow">{t('app.loading')}</span>;
  const type = typeOf(project, data.data.contentTypeApiName);
  return (
    <>
      <span className="grow clip">
        {titleOf(data.data, type)} <span className="soft small">{type?.name}</span>
      </span>
      <StatusBadge status={data.data.status} />
      <Link
        aria-label={`${t('field.open')}: ${titleOf(data.data, type)}`}
        className="button icon plain"
        params={{ project: project.slug, environment: project.environment, entry: link._ref }}
        search={{ locale }}
        target="_blank"
        to="/$project/$environment/entries/$entry"
      >
        <Icon name="open" />
      </Link>
    </>
  );
}

interface ChooserProps extends FieldEditorProps {
  readonly hasValue: boolean;
  readonly onOpen: () => void;
}

function Chooser({ id, label, hasValue, isReadOnly, onChange, onOpen, describedBy }: ChooserProps) {
  if (isReadOnly) return null;
  const text = hasValue ? t('field.replace') : t('field.choose');
  return (
    <>
      <button
        aria-describedby={describedBy}
        aria-label={`${text}: ${label}`}
        className="button"
        id={id}
        onClick={onOpen}
        type="button"
      >
        {text}
      </button>
      {hasValue && (
        <IconButton icon="close" label={`${t('field.clear')}: ${label}`} onClick={() => onChange(null)} />
      )}
    </>
  );
}

interface ChosenProps extends FieldEditorProps {
  /** Shows what the link names. */
  readonly show: (link: EntryLink) => ReactNode;
  readonly picker: (choose: (link: EntryLink) => void, close: () => void) => ReactNode;
}

/** A link, and a picker that sets it. */
function Chosen({ show, picker, ...props }: ChosenProps) {
  const [isOpen, setIsOpen] = useState(false);
  const link = linkOf(props.value);
  const close = () => setIsOpen(false);
  const choose = (chosen: EntryLink) => {
    props.onChange(chosen);
    close();
  };
  return (
    <div className="linked">
      {link === undefined ? <span className="soft grow">{t('field.none')}</span> : show(link)}
      <Chooser {...props} hasValue={link !== undefined} onOpen={() => setIsOpen(true)} />
      {isOpen && <Suspense>{picker(choose, close)}</Suspense>}
    </div>
  );
}

export const ReferenceEditor: FieldEditor = (props) => (
  <Chosen
    {...props}
    picker={(choose, close) => (
      <EntryPicker
        onChoice={({ id, contentTypeApiName }) => choose({ _ref: id, _type: contentTypeApiName })}
        onClose={close}
        types={allowedTypes(props.field)}
      />
    )}
    show={(link) => <LinkedEntry link={link} />}
  />
);

export const MediaEditor: FieldEditor = (props) => (
  <Chosen
    {...props}
    picker={(choose, close) => (
      <AssetPicker
        onChoice={({ id }) => choose({ _ref: id, _type: 'MediaAsset' })}
        onClose={close}
        types={props.field.validations.mimeTypes as string[] | undefined}
      />
    )}
    show={({ _ref }) => <AssetCard id={_ref} />}
  />
);
