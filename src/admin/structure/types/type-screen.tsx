import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { contentTypes } from '../../../../contracts/content/content-types/content-types.contract.js';
import { typeOf, useProject, type ContentType, type Field } from '../../api/project-data.js';
import { OperationForm } from '../../resources/operation-form.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { Empty } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { DeleteTypeDialog } from './delete-type-dialog.js';
import { FieldDialog } from './field-dialog.js';
import { FieldList, type FieldTask } from './field-list.js';
import { refreshTypes, typeForm } from './type-form.js';
import { fields } from '../../../../contracts/content/fields/fields.contract.js';
import { client } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';

interface DeleteFieldDialogProps {
  readonly typeName: string;
  readonly field: Field;
  readonly onClose: () => void;
}

/** A field with values is deleted only after consent to the loss of the values. */
function DeleteFieldDialog({ typeName, field, onClose }: DeleteFieldDialogProps) {
  const { slug: projectSlug } = useProject();
  const [isAgreed, setIsAgreed] = useState(false);
  const { isBusy, failure, run } = useCall();
  const isInUse = failure?.code === 'field_in_use';
  const remove = (): Promise<void> =>
    run(async () => {
      await client.fields.delete.mutate({
        projectSlug,
        contentTypeApiName: typeName,
        fieldApiName: field.apiName,
        force: isAgreed,
      });
      await refreshTypes();
      notify(t('resource.deleted', { name: field.name }));
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('types.delete', { name: field.name })}>
      <p>{t('fields.deleteHint')}</p>
      {failure !== undefined && (
        <p className="problem" role="alert">
          {isInUse ? t('fields.inUse', { count: Number(failure.details.entryCount ?? 0) }) : failure.message}
        </p>
      )}
      {(isInUse || isAgreed) && (
        <label className="row tight">
          <input
            checked={isAgreed}
            className="check"
            onChange={({ target }) => setIsAgreed(target.checked)}
            type="checkbox"
          />
          {t('fields.force')}
        </label>
      )}
      <DialogFooter
        disabled={isBusy || (isInUse && !isAgreed)}
        isDangerous
        onCancel={onClose}
        onRun={remove}
        run={t('resource.delete')}
      />
    </Dialog>
  );
}

interface Props {
  readonly typeName: string;
  /** Absent: the type itself is renamed. */
  readonly fieldName?: string | undefined;
  readonly onRenamed: (apiName: string) => void;
  readonly onClose: () => void;
}

/** Changes an API name; stored values are kept under the new one. */
function RenameDialog({ typeName, fieldName, onRenamed, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const place = { projectSlug, contentTypeApiName: typeName };
  const isField = fieldName !== undefined;
  return (
    <Dialog onClose={onClose} title={t('types.rename', { name: fieldName ?? typeName })}>
      <p>{t('types.renameHint')}</p>
      <OperationForm
        contract={isField ? fields.rename : contentTypes.rename}
        fixed={isField ? { ...place, fieldApiName: fieldName } : place}
        form={{ start: { apiName: fieldName ?? typeName } }}
        onDone={(_, { apiName }) => {
          notify(t('types.renamed', { name: String(apiName) }));
          onRenamed(String(apiName));
        }}
        operation={isField ? 'fields.rename' : 'contentTypes.rename'}
        submitLabel={t('types.renameNow')}
      />
    </Dialog>
  );
}

type Task = FieldTask | 'add' | 'settings';

interface Open {
  readonly task: Task;
  /** Absent: the type itself. */
  readonly field?: Field;
}

function SettingsDialog({ type, onClose }: { readonly type: ContentType; readonly onClose: () => void }) {
  const { slug: projectSlug } = useProject();
  return (
    <Dialog onClose={onClose} title={t('types.settings')}>
      <OperationForm
        contract={contentTypes.update}
        current={type}
        fixed={{ projectSlug, apiName: type.apiName }}
        form={typeForm}
        onDone={() => {
          void refreshTypes();
          notify(t('resource.saved'));
          onClose();
        }}
        operation="contentTypes.update"
        submitLabel={t('resource.save')}
      />
    </Dialog>
  );
}

interface TaskProps {
  readonly type: ContentType;
  readonly open: Open;
  readonly onClose: () => void;
}

function TaskDialog({ type, open: { task, field }, onClose }: TaskProps) {
  const navigate = useNavigate();
  const { slug: project, environment } = useProject();
  const leaveFor = async (type: string | undefined): Promise<void> => {
    const to = '/$project/$environment/content-types';
    await (type === undefined
      ? navigate({ to, params: { project, environment } })
      : navigate({ to: `${to}/$type`, params: { project, environment, type } }));
    await refreshTypes();
    onClose();
  };
  if (task === 'settings') return <SettingsDialog onClose={onClose} type={type} />;
  if (task === 'add' || task === 'edit') return <FieldDialog field={field} onClose={onClose} type={type} />;
  if (task === 'rename')
    return (
      <RenameDialog
        fieldName={field?.apiName}
        onClose={onClose}
        onRenamed={(apiName) => void leaveFor(field === undefined ? apiName : type.apiName)}
        typeName={type.apiName}
      />
    );
  return field === undefined ? (
    <DeleteTypeDialog onClose={onClose} onDeleted={() => void leaveFor(undefined)} type={type} />
  ) : (
    <DeleteFieldDialog field={field} onClose={onClose} typeName={type.apiName} />
  );
}

/** One content type: its settings and its fields. */
export function TypeScreen() {
  const project = useProject();
  const { type: apiName = '' } = useParams({ strict: false });
  const [open, setOpen] = useState<Open>();
  const { slug, environment, may } = project;
  const type = typeOf(project, apiName);
  if (type === undefined)
    return (
      <Empty title={t('types.none')}>
        <Link
          className="button"
          params={{ project: slug, environment }}
          to="/$project/$environment/content-types"
        >
          {t('types.back')}
        </Link>
      </Empty>
    );
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">
          {type.name} <span className="code soft">{type.apiName}</span>
        </h1>
      </header>
      <div className="filters row">
        {may('fields.create') && (
          <button className="button primary" onClick={() => setOpen({ task: 'add' })} type="button">
            {t('fields.add')}
          </button>
        )}
        {may('contentTypes.update') && (
          <button className="button" onClick={() => setOpen({ task: 'settings' })} type="button">
            {t('types.settings')}
          </button>
        )}
        {may('contentTypes.rename') && (
          <button className="button" onClick={() => setOpen({ task: 'rename' })} type="button">
            {t('types.renameNow')}
          </button>
        )}
        {may('contentTypes.delete') && (
          <button className="button danger" onClick={() => setOpen({ task: 'delete' })} type="button">
            {t('resource.delete')}
          </button>
        )}
      </div>
      <FieldList onTask={(task, field) => setOpen({ task, field })} type={type} />
      {open !== undefined && <TaskDialog onClose={() => setOpen(undefined)} open={open} type={type} />}
    </>
  );
}
