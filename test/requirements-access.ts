import type { Requirement } from './requirement.js';

/** Who may do what: users, roles, grants, tenants (decisions 2.18, 2.26, 2.29; specification 5). */
export const access = {
  'dec-2.18-roles': { source: '2.18', text: 'Every project has the system roles; a role in use stays.' },
  'dec-2.18-grants': { source: '2.18', text: 'Grants add up; the same one twice is the one that exists.' },
  'dec-2.18-escalation': { source: '2.18', text: 'Nobody hands on what they lack, scopes included.' },
  'dec-2.18-users': { source: '2.18', text: 'Users are members of projects with roles.' },
  'dec-2.18-rows': {
    source: '2.18',
    text: 'Grants reach rows by type, site, locale, field, environment, branch and maker.',
  },
  'dec-2.18-lists': { source: '2.18', text: 'Lists and totals hold what the reader may see.' },
  'dec-2.18-links': {
    source: '2.18',
    text: 'What a caller may not read is as missing where they link to it, place it or share a preview of what refers to it.',
  },
  'issue-access-matrix': {
    source: '2.2, 2.18',
    text: 'Every operation answers every credential as one table declares.',
  },
  'issue-cross-tenant': {
    source: 'hardening 1',
    text: 'Ids of another tenant are answered as missing ones, in every position.',
  },
  'dec-2.29-users': { source: '2.29', text: 'POST users takes e-mail, name, roles and a first password.' },
  'dec-2.26-owner': { source: '2.26', text: 'A tenant’s owner is invited with it.' },
  'dec-2.26-limits': { source: '2.26', text: 'A tenant has limits.' },
} as const satisfies Readonly<Record<string, Requirement>>;
