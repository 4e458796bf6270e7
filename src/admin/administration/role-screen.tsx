import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { roles } from '../../../contracts/access/roles/roles.contract.js';
import { api, client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject } from '../api/project-data.js';
import { ItemActions, ItemDialog } from '../resources/item-dialog.js';
import { listText, t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { actionLabel, GrantMatrix, resourceLabel } from './grant-matrix.js';
import { ALL, isLimited, permissionGroups, type Grant } from './grants.js';
import { LimitedGrants } from './limited-grants.js';
import { roleResource, type Role } from './roles-screen.js';

/** Every grant of a role. */
function useGrants(roleId: string) {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [...api.roles.listGrants.queryKey({ projectSlug, roleId }), 'every'],
    queryFn: () =>
      everyItem((page) => client.roles.listGrants.query({ projectSlug, roleId, page, limit: PAGE_SIZE })),
  });
}

function RoleHead({ role }: { readonly role: Role }) {
  const { slug, environment, may } = useProject();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const list = ['', slug, environment, 'roles'].join('/');
  const fixed = { projectSlug: slug };
  return (
    <>
      <header className="screen-head row wrap">
        <h1 className="grow clip">{role.name}</h1>
        <span className="badge">{t('roles.members', { count: role.memberCount })}</span>
        {may('roles.update') && !role.isSystem && (
          <button className="button" onClick={() => setIsOpen(true)} type="button">
            {t('webhooks.edit')}
          </button>
        )}
        <ItemActions
          fixed={fixed}
          item={role}
          onDone={() => void navigate({ to: list })}
          resource={roleResource}
        />
      </header>
      <p className="screen-hint row">
        <Link to={list}>{t('roles.back')}</Link>
        <span className="soft">{role.isSystem ? t('roles.readOnly') : role.description}</span>
      </p>
      {isOpen && (
        <ItemDialog
          fixed={fixed}
          item={role}
          list={roles.list}
          onClose={() => setIsOpen(false)}
          resource={{ ...roleResource, actions: [] }}
        />
      )}
    </>
  );
}

/** In words what the role permits; its limited permissions are counted, and listed below. */
function RoleSentence({ grants }: { readonly grants: readonly Grant[] }) {
  const clauses = permissionGroups(grants).map(({ actions, resources }) => {
    const names = listText(resources.map((one) => (one === ALL ? t('roles.anything') : resourceLabel(one))));
    if (actions.includes(ALL))
      return resources.includes(ALL) ? t('roles.mayAll') : t('roles.mayAllWith', { resources: names });
    return t('roles.clause', { actions: listText(actions.map(actionLabel)), resources: names });
  });
  const limited = grants.filter(isLimited).length;
  if (clauses.length === 0 && limited === 0) return <p className="screen-hint">{t('roles.mayNothing')}</p>;
  return (
    <p className="screen-hint">
      {clauses.length > 0 && t('roles.may', { clauses: clauses.join('; ') })}{' '}
      {limited > 0 && t('roles.mayLimited', { count: limited })}
    </p>
  );
}

/** What a role permits. */
export function RoleScreen() {
  const { role: id = '' } = useParams({ strict: false });
  const { slug: projectSlug, may } = useProject();
  const role = useQuery(api.roles.get.queryOptions({ projectSlug, id }));
  const grants = useGrants(id);
  return (
    <Loaded query={role}>
      {({ data }) => {
        const isReadOnly = data.isSystem || !may('roles.createGrant');
        return (
          <>
            <RoleHead role={data} />
            <Loaded query={grants}>
              {(all) => (
                <>
                  <RoleSentence grants={all} />
                  <p className="soft small screen-hint">
                    {t('roles.legend', { all: t('roles.all'), manage: t('option.manage') })}
                  </p>
                  <GrantMatrix grants={all} isReadOnly={isReadOnly} roleId={id} />
                  <LimitedGrants grants={all} isReadOnly={isReadOnly} roleId={id} />
                </>
              )}
            </Loaded>
          </>
        );
      }}
    </Loaded>
  );
}
