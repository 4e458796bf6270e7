import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../contracts/errors.js';
import { authorize, isPermitted } from '../../src/access/authorize.js';
import type { Target, VerbName } from '../../src/access/grants.js';
import { keyGrants } from '../../src/access/key-grants.js';

type Limits = Parameters<typeof keyGrants>[0];

const unlimited: Limits = {
  type: 'management',
  permissions: [],
  siteIds: [],
  isDraftOnly: false,
  environmentId: null,
};

function callerWith(limits: Partial<Limits>, through = 'management') {
  const scope = {
    grants: keyGrants({ ...unlimited, ...limits }, 'main'),
    environmentSlug: 'main',
    actor: { type: 'api_key' },
    origin: { interface: through },
  };
  return { scope };
}

/** The code and details of the error, or undefined when the key is permitted. */
function refusalOf(limits: Partial<Limits>, verb: VerbName, target?: Target, through?: string): unknown {
  try {
    authorize(callerWith(limits, through), verb, target);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? { code: error.code, details: error.details } : error;
  }
}

describe('Key grants', () => {
  it('are unlimited for a key without limits', () => {
    expect(keyGrants(unlimited, 'main')).toBeNull();
  });

  it("apply only in the key's environment", () => {
    const bound = { environmentId: 'e1' };
    expect(refusalOf(bound, 'contentTypes.delete', {})).toBeUndefined();
    const { scope } = callerWith(bound);
    expect(isPermitted({ scope: { ...scope, environmentSlug: 'other' } }, 'contentTypes.delete')).toBe(false);
  });

  it('let a key find rows it may write but not read', () => {
    const writer = { permissions: ['update'] } as const;
    expect(isPermitted(callerWith(writer), 'entries.read')).toBe(false);
    expect(isPermitted(callerWith(writer), 'entries.read', { siteId: 's1' })).toBe(true);
  });

  it('include every action implied by a granted action', () => {
    const permitted = (['update', 'transition', 'publish', 'delete'] as const).filter((action) =>
      isPermitted(callerWith({ permissions: ['update'] }), `entries.${action}`),
    );
    expect(permitted).toEqual(['update', 'transition']);
  });

  it('allow a delivery key to read and not to write', () => {
    expect(refusalOf({ type: 'delivery' }, 'entries.read')).toBeUndefined();
    expect(refusalOf({ type: 'delivery' }, 'entries.create')).toMatchObject({ code: 'permission_denied' });
  });
});

describe('A denied key', () => {
  const sites = { siteIds: ['s1'] };
  const row = { siteId: 's2', contentTypeId: 't1' };

  it('gets the action and the error code of the surface', () => {
    const reader = { permissions: ['read'] } as const;
    const details = { resource: 'entries', action: 'publish' };
    expect(refusalOf(reader, 'entries.publish', row)).toEqual({ code: 'permission_denied', details });
    expect(refusalOf(reader, 'entries.publish', row, 'mcp')).toEqual({
      code: 'api_key_permission_denied',
      details,
    });
  });

  it('gets the site when it is limited to other sites', () => {
    const details = { resource: 'entries', action: 'update', siteId: 's2' };
    expect(refusalOf(sites, 'entries.update', row)).toEqual({ code: 'permission_denied', details });
    expect(refusalOf(sites, 'entries.update', { ...row, siteId: 's1' })).toBeUndefined();
    expect(refusalOf(sites, 'entries.read', row)).toBeUndefined();
  });

  it('gets site null for the global tree', () => {
    const place = { ...row, siteId: 's1', treeSiteId: null };
    expect(refusalOf(sites, 'entries.create', place)).toMatchObject({ details: { siteId: null } });
    expect(refusalOf(sites, 'tree.create', { siteId: null })).toMatchObject({ details: { siteId: null } });
  });

  it('of a site cannot write what belongs to no site', () => {
    for (const resource of [
      'contentTypes',
      'webhooks',
      'apiKeys',
      'roles',
      'users',
      'ipAllowlist',
    ] as const) {
      expect(refusalOf(sites, `${resource}.create`, {})).toEqual({
        code: 'permission_denied',
        details: { resource, action: 'create' },
      });
      expect(refusalOf(sites, `${resource}.read`, {})).toBeUndefined();
    }
  });

  it('of an environment cannot write what belongs to no environment', () => {
    const bound = { environmentId: 'e1' };
    for (const resource of [
      'sites',
      'webhooks',
      'apiKeys',
      'roles',
      'users',
      'ipAllowlist',
      'views',
      'environments',
    ] as const) {
      const details = { resource, action: 'create' };
      expect(refusalOf(bound, `${resource}.create`, {})).toEqual({ code: 'permission_denied', details });
      expect(refusalOf({ ...bound, siteIds: ['s1'] }, `${resource}.create`, { siteId: 's1' })).toEqual({
        code: 'permission_denied',
        details,
      });
      expect(refusalOf(bound, `${resource}.read`, {})).toBeUndefined();
    }
  });

  it('gets draftOnly for live targets, after the site check', () => {
    const drafts = { isDraftOnly: true };
    const live = { ...row, isLive: true };
    expect(refusalOf(drafts, 'entries.delete', live)).toMatchObject({
      details: { resource: 'entries', action: 'delete', draftOnly: true },
    });
    expect(refusalOf({ ...drafts, ...sites }, 'entries.delete', live)).toMatchObject({
      details: { siteId: 's2' },
    });
    expect(refusalOf(drafts, 'entries.delete', row)).toBeUndefined();
    expect(refusalOf(drafts, 'entries.publish', row)).toMatchObject({ code: 'permission_denied' });
    expect(refusalOf(drafts, 'tree.update', row)).toMatchObject({ code: 'permission_denied' });
  });
});

describe('A field named "any"', () => {
  it('is checked like any other field', () => {
    const grant = { resource: 'entries', action: 'update', scope: { fields: ['title'] } };
    const { scope } = callerWith({});
    const caller = { scope: { ...scope, grants: [grant] } };
    expect(isPermitted(caller, 'entries.update', { fields: ['any'] })).toBe(false);
    expect(isPermitted(caller, 'entries.update', { fields: 'any' })).toBe(true);
  });
});
