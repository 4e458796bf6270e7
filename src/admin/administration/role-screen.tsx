import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { roles } from '../../../contracts/access/roles/roles.contract.js';
import { api, client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject, typeOf, type Project } from '../api/project-data.js';
import { ItemActions, ItemDialog } from '../resources/item-dialog.js';
import { listText, t, localeName } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { actionLabel, GrantMatrix, resourceLabel } from './grant-matrix.js';
import { ALL, isLimited, permissionGroups, type Grant } from './grants.js';
import { roleResource, type Role } from './roles-screen.js';
import { labelOf } from '../resources/labels.js';
import { OperationForm } from '../resources/operation-form.js';
import { TextList } from '../resources/text-list.js';
import { ActionDialog } from '../resources/action-dialog.js';
import { deletion, type FormConfig } from '../resources/resource-config.js';
import { refreshAfter } from '../resources/use-operation.js';
import { DataTable } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { notify } from '../ui/toasts.js';
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
