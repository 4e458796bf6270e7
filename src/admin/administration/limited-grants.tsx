import { useState } from 'react';
import { roles } from '../../../contracts/access/roles/roles.contract.js';
import { useProject, typeOf, type Project } from '../api/project-data.js';
import { labelOf } from '../resources/labels.js';
import { OperationForm } from '../resources/operation-form.js';
import { TextList } from '../resources/text-list.js';
import { ActionDialog } from '../resources/action-dialog.js';
import { deletion, type FormConfig } from '../resources/resource-config.js';
import { refreshAfter } from '../resources/use-operation.js';
import { localeName, t } from '../texts/index.js';
import { DataTable } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { notify } from '../ui/toasts.js';
import { actionLabel, resourceLabel } from './grant-matrix.js';
import { isLimited, type Grant } from './grants.js';
import { EnvironmentChecks, LocaleChecks, SiteChecks, TypeChecks } from './scope-checks.js';

interface Props {
  readonly roleId: string;
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
}

const form: FormConfig = {
  order: ['resource', 'action', 'scope'],
  editors: {
    'scope.contentTypes': TypeChecks,
    'scope.siteIds': SiteChecks,
    'scope.locales': LocaleChecks,
    'scope.environments': EnvironmentChecks,
    'scope.fields': TextList,
  },
};

/** What is named by an id or code is shown by its name. */
function valueName(project: Project, key: string, value: string): string {
  if (key === 'contentTypes') return typeOf(project, value)?.name ?? value;
  if (key === 'siteIds') return project.sites.find(({ id }) => id === value)?.name ?? value;
  return key === 'locales' ? localeName(value) : value;
}

function scopeText(project: Project, { scope }: Grant): string {
  return Object.entries(scope)
    .flatMap(([key, value]) => {
      if (value === true) return [labelOf('roles', key)];
      if (!Array.isArray(value) || value.length === 0) return [];
      return [`${labelOf('roles', key)}: ${value.map((one) => valueName(project, key, one)).join(', ')}`];
    })
    .join(' · ');
}

const grantName = ({ resource, action }: Grant): string =>
  t('roles.grant', { resource: resourceLabel(resource), action: actionLabel(action) });

/** Grants that apply to a part of the content. */
export function LimitedGrants({ roleId, grants, isReadOnly }: Props) {
  const project = useProject();
  const fixed = { projectSlug: project.slug, roleId };
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Grant>();
  const limited = grants.filter(isLimited);
  return (
    <section aria-label={t('roles.limitedTitle')}>
      <div className="screen-head row">
        <h2 className="grow">{t('roles.limitedTitle')}</h2>
        {!isReadOnly && (
          <button className="button" onClick={() => setIsAdding(true)} type="button">
            <Icon name="add" />
            {t('roles.addLimited')}
          </button>
        )}
      </div>
      {limited.length === 0 ? (
        <p className="soft screen-hint">{t('roles.noLimited')}</p>
      ) : (
        <DataTable
          columns={[
            { key: 'grant', label: t('roles.permissions'), cell: grantName },
            { key: 'scope', label: t('key.scope'), cell: (grant) => scopeText(project, grant) },
            {
              key: 'remove',
              label: t('field.remove'),
              cell: (grant) =>
                !isReadOnly && (
                  <button
                    aria-label={`${t('field.remove')}: ${grantName(grant)}`}
                    className="button"
                    onClick={() => setRemoved(grant)}
                    type="button"
                  >
                    {t('field.remove')}
                  </button>
                ),
            },
          ]}
          keyOf={({ id }) => id}
          label={t('roles.limitedTitle')}
          rows={limited}
        />
      )}
      {isAdding && (
        <Dialog isWide onClose={() => setIsAdding(false)} title={t('roles.addLimited')}>
          <p className="soft">{t('roles.limitedHint')}</p>
          <OperationForm
            contract={roles.createGrant}
            fixed={fixed}
            form={form}
            onDone={() => {
              setIsAdding(false);
              notify(t('roles.added'));
              void refreshAfter('roles');
            }}
            operation="roles.createGrant"
            submitLabel={t('field.add')}
          />
        </Dialog>
      )}
      {removed !== undefined && (
        <ActionDialog
          action={deletion({ label: 'field.remove' })}
          contract={roles.deleteGrant}
          fixed={{ ...fixed, grantId: removed.id }}
          name={grantName(removed)}
          onClose={() => setRemoved(undefined)}
          onDone={() => setRemoved(undefined)}
          operation="roles.deleteGrant"
        />
      )}
    </section>
  );
}
