import { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import { limits } from '../../../../contracts/limits.js';
import { RoleChecks } from '../../administration/role-checks.js';
import type { Outputs } from '../../api/client.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { resourceOf, type FormConfig } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { say } from './release-texts.js';

type Release = Outputs['releases']['list']['data'][number];
type Approval = NonNullable<Release['requiresApproval']>;

const counts = Array.from({ length: limits.approvalsPerTransition }, (_, index) => index + 1);

/** Whether the release needs approvals, how many and whose. */
function ApprovalEditor({ value, onChange, ...control }: PropertyControlProps) {
  const approval = (value ?? null) as Approval | null;
  const change = (next: Partial<Approval>): void =>
    onChange({ quorum: 1, roleIds: [], distinctFromAuthor: true, ...approval, ...next });
  return (
    <div className="group">
      <label className="row tight">
        <input
          checked={approval !== null}
          onChange={({ target }) => (target.checked ? change({}) : onChange(null))}
          type="checkbox"
        />
        {say('approval')}
      </label>
      {approval !== null && (
        <>
          <label className="field">
            <span className="label">{say('quorum')}</span>
            <select
              className="select compact"
              onChange={({ target }) => change({ quorum: Number(target.value) })}
              value={approval.quorum}
            >
              {counts.map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </select>
          </label>
          <label className="row tight">
            <input
              checked={approval.distinctFromAuthor}
              onChange={({ target }) => change({ distinctFromAuthor: target.checked })}
              type="checkbox"
            />
            {say('others')}
          </label>
          <div aria-label={say('roles')} className="field" role="group">
            <span className="hint">{say('roles')}</span>
            <RoleChecks
              {...control}
              onChange={(roleIds) => change({ roleIds: roleIds as string[] })}
              value={approval.roleIds}
            />
          </div>
        </>
      )}
    </div>
  );
}

export const releaseForm: FormConfig = {
  order: ['name', 'description', 'requiresApproval'],
  editors: { requiresApproval: ApprovalEditor },
};

const resource = resourceOf<Release>({
  name: 'releases',
  contracts: releases,
  form: releaseForm,
  title: 'releases.title',
  hint: 'releases.hint',
  createLabel: 'releases.create',
  nameOf: ({ name }) => name,
  columns: ['name', 'status', 'itemCount', 'scheduledAt', 'publishedAt', 'updatedAt'],
  filters: ['status'],
  isMoving: ({ status }) => status === 'scheduled',
  screenOf: ({ id }) => `releases/${id}`,
  opensCreated: true,
});

/** Changes that are published together. */
export const ReleasesScreen = () => <ResourceScreen resource={resource} />;
