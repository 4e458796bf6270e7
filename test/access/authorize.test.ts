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

/** The code and details with which a key is refused; undefined where it is permitted. */
function refusalOf(limits: Partial<Limits>, verb: VerbName, target?: Target, through?: string): unknown {
  try {
    authorize(callerWith(limits, through), verb, target);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? { code: error.code, details: error.details } : error;
  }
}

describe('A key as grants', () => {
  it('permits everything without limits', () => {
    expect(keyGrants(unlimited, 'main')).toBeNull();
  });

  it('permits everything in its environment only', () => {
    const bound = { environmentId: 'e1' };
    expect(refusalOf(bound, 'webhooks.delete', {})).toBeUndefined();
    const { scope } = callerWith(bound);
    expect(isPermitted({ scope: { ...scope, environmentSlug: 'other' } }, 'webhooks.delete')).toBe(false);
  });

  it('finds the rows that it writes without permission to read', () => {
    const writer = { permissions: ['update'] } as const;
    expect(isPermitted(callerWith(writer), 'entries.read')).toBe(false);
    expect(isPermitted(callerWith(writer), 'entries.read', { siteId: 's1' })).toBe(true);
  });

  it('permits the actions that each of its actions stands for', () => {
    const permitted = (['update', 'transition', 'publish', 'delete'] as const).filter((action) =>
      isPermitted(callerWith({ permissions: ['update'] }), `entries.${action}`),
    );
    expect(permitted).toEqual(['update', 'transition']);
  });

  it('reads with a delivery key and writes nothing', () => {
    expect(refusalOf({ type: 'delivery' }, 'entries.read')).toBeUndefined();
    expect(refusalOf({ type: 'delivery' }, 'entries.create')).toMatchObject({ code: 'permission_denied' });
  });
});

describe('A refusal of a key', () => {
  const sites = { siteIds: ['s1'] };
  const row = { siteId: 's2', contentTypeId: 't1' };

  it('names the action, with the code of the surface', () => {
    const reader = { permissions: ['read'] } as const;
    const details = { resource: 'entries', action: 'publish' };
    expect(refusalOf(reader, 'entries.publish', row)).toEqual({ code: 'permission_denied', details });
    expect(refusalOf(reader, 'entries.publish', row, 'mcp')).toEqual({
      code: 'api_key_permission_denied',
      details,
    });
  });

  it('names the site where the key is limited to others', () => {
    const details = { resource: 'entries', action: 'update', siteId: 's2' };
    expect(refusalOf(sites, 'entries.update', row)).toEqual({ code: 'permission_denied', details });
    expect(refusalOf(sites, 'entries.update', { ...row, siteId: 's1' })).toBeUndefined();
    expect(refusalOf(sites, 'entries.read', row)).toBeUndefined();
  });

  it('names no site for the global tree', () => {
    const place = { ...row, siteId: 's1', treeSiteId: null };
    expect(refusalOf(sites, 'entries.create', place)).toMatchObject({ details: { siteId: null } });
    expect(refusalOf(sites, 'tree.create', { siteId: null })).toMatchObject({ details: { siteId: null } });
  });

  it('ignores sites for what belongs to none, except webhooks', () => {
    expect(refusalOf(sites, 'contentTypes.create', {})).toBeUndefined();
    expect(refusalOf(sites, 'webhooks.create', {})).toEqual({
      code: 'permission_denied',
      details: { resource: 'webhooks', action: 'create' },
    });
  });

  it('names drafts where the target is live, after the site', () => {
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

describe('A field named any', () => {
  it('is checked like any other', () => {
    const grant = { resource: 'entries', action: 'update', scope: { fields: ['title'] } };
    const { scope } = callerWith({});
    const caller = { scope: { ...scope, grants: [grant] } };
    expect(isPermitted(caller, 'entries.update', { fields: ['any'] })).toBe(false);
    expect(isPermitted(caller, 'entries.update', { fields: 'any' })).toBe(true);
  });
});
