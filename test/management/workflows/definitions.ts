import type { Response } from 'supertest';
import type { Desk } from '../../support/desk.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { now } from '../entries/history.js';

export const state = (key: string, rest: object = {}) => ({ key, name: key, ...rest });
export const step = (from: string, to: string, rest: object = {}) => ({ from, to, ...rest });

/** draft → review → approved, with ways back. */
export const editorial = (rest: object = {}) => ({
  name: 'Editorial',
  slug: 'editorial',
  contentTypes: ['article'],
  states: [state('draft', { isInitial: true }), state('review'), state('approved', { allowsPublish: true })],
  transitions: [
    step('draft', 'review'),
    step('review', 'approved'),
    step('review', 'draft'),
    step('approved', 'review'),
  ],
  ...rest,
});

export async function newWorkflow(desk: Desk, body: object = editorial()): Promise<Response> {
  const made = await desk.post('/workflows', body);
  if (made.status !== 201) throw new Error(`POST workflows: ${String(made.status)} ${made.text}`);
  return made;
}

export const moveTo = (desk: Desk, id: string, to: string, rest: object = {}): Promise<Response> =>
  desk.post(`/entries/${id}/workflow`, { to, ...rest });

export interface User {
  readonly id: string;
  readonly desk: Desk;
}

/** A member with these roles. */
export async function member(desk: Desk, ...roleIds: string[]): Promise<User> {
  const { id, token } = await createMember(desk.app, desk.project, roleIds);
  return { id, desk: desk.as(token) };
}

export const editorRole = (desk: Desk): Promise<string> => systemRoleId(desk.app, desk.project, 'editor');

export const stateOf = async (desk: Desk, id: string, query = '') =>
  (await now(desk, id, query)).workflow?.state;

export const actions = async (desk: Desk, id: string): Promise<string[]> => {
  const { body } = await desk.get(`/audit-events?targetId=${id}`);
  return (body.data as { action: string }[]).map(({ action }) => action).reverse();
};
