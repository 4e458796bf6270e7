import { contentTypes } from '../../../../contracts/management/content-types.contract.js';
import { fields } from '../../../../contracts/management/fields.contract.js';
import { useProject } from '../../api/project-data.js';
import { OperationForm } from '../../resources/operation-form.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';

interface Props {
  readonly typeName: string;
  /** Absent: the type itself is renamed. */
  readonly fieldName?: string | undefined;
  readonly onRenamed: (apiName: string) => void;
  readonly onClose: () => void;
}

/** Changes an API name; stored values are kept under the new one. */
export function RenameDialog({ typeName, fieldName, onRenamed, onClose }: Props) {
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
