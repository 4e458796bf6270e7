import { tenants } from '../../../contracts/tenancy/tenants/tenants.contract.js';
import { OperationForm } from '../resources/operation-form.js';
import { slugOf } from '../resources/resource-config.js';
import { TextList } from '../resources/text-list.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Creates a tenant with its first project, where there is no project to enter yet. */
export const NewTenantDialog = ({ onClose, onCreated }: Props) => (
  <Dialog onClose={onClose} title={t('tenants.create')}>
    <OperationForm
      contract={tenants.create}
      fixed={{}}
      form={{
        order: ['name', 'slug', 'locales', 'defaultLocale', 'project'],
        editors: { locales: TextList },
        named: { slug: slugOf },
      }}
      onDone={onCreated}
      operation="tenants.create"
      submitLabel={t('resource.create')}
    />
  </Dialog>
);
