import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject, type Field } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { refreshTypes } from './type-form.js';

interface Props {
  readonly typeName: string;
  readonly field: Field;
  readonly onClose: () => void;
}

/** A field with values is deleted only after consent to the loss of the values. */
export function DeleteFieldDialog({ typeName, field, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [isAgreed, setIsAgreed] = useState(false);
  const { isBusy, failure, run } = useCall();
  const isInUse = failure?.code === 'field_in_use';
  const remove = (): Promise<void> =>
    run(async () => {
      await client.fields.delete.mutate({
        ...{ projectSlug, contentTypeApiName: typeName, fieldApiName: field.apiName },
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
      <div className="actions">
        <button className="button" data-focus onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button
          className="button danger"
          disabled={isBusy || (isInUse && !isAgreed)}
          onClick={() => void remove()}
          type="button"
        >
          {t('resource.delete')}
        </button>
      </div>
    </Dialog>
  );
}
