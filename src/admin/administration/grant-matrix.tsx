import { useState } from 'react';
import { client } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { optionLabel } from '../resources/labels.js';
import { refreshAfter } from '../resources/use-operation.js';
import { t } from '../texts/index.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import {
  ALL,
  isIncluded,
  isMeaningful,
  matrixActions,
  matrixResources,
  ownGrant,
  type Grant,
} from './grants.js';

interface Props {
  readonly roleId: string;
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
}

type Resource = Parameters<typeof client.roles.createGrant.mutate>[0]['resource'];
type Action = Parameters<typeof client.roles.createGrant.mutate>[0]['action'];

export const resourceLabel = (resource: string): string =>
  resource === ALL ? t('roles.all') : optionLabel('resource', resource);
export const actionLabel = (action: string): string =>
  action === ALL ? t('roles.all') : optionLabel('action', action);

/** Adds and removes unlimited grants, one call per tick. */
function useToggle(roleId: string) {
  const { slug: projectSlug } = useProject();
  const [busy, setBusy] = useState<string>();
  const toggle = async (resource: string, action: string, own: Grant | undefined): Promise<void> => {
    setBusy(`${resource}.${action}`);
    try {
      if (own === undefined)
        await client.roles.createGrant.mutate({
          projectSlug,
          roleId,
          resource: resource as Resource,
          action: action as Action,
        });
      else await client.roles.deleteGrant.mutate({ projectSlug, roleId, grantId: own.id });
      notify(t(own === undefined ? 'roles.added' : 'roles.removed'));
      await refreshAfter('roles');
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, toggle };
}

/** Which actions a role permits on which resources. What another grant includes is ticked and cannot be removed here. */
export function GrantMatrix({ roleId, grants, isReadOnly }: Props) {
  const { busy, toggle } = useToggle(roleId);
  return (
    <div aria-label={t('roles.permissions')} className="data-scroll" role="region" tabIndex={0}>
      <table aria-label={t('roles.permissions')} className="data matrix">
        <thead>
          <tr>
            <th scope="col">{t('key.resource')}</th>
            {matrixActions.map((action) => (
              <th key={action} scope="col">
                {actionLabel(action)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrixResources.map((resource) => (
            <tr key={resource}>
              <th scope="row">{resourceLabel(resource)}</th>
              {matrixActions.map((action) => {
                const own = ownGrant(grants, resource, action);
                const included = isIncluded(grants, resource, action);
                if (own === undefined && !isMeaningful(resource, action)) return <td key={action} />;
                const label = { resource: resourceLabel(resource), action: actionLabel(action) };
                return (
                  <td key={action}>
                    <input
                      aria-label={t('roles.grant', label)}
                      checked={own !== undefined || included}
                      className="check"
                      disabled={isReadOnly || busy !== undefined || (own === undefined && included)}
                      onChange={() => void toggle(resource, action, own)}
                      type="checkbox"
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
