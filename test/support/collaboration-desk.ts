import type { Browser } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from './admin-desk.js';
import type { TestApp } from './app.js';
import { useBrowser, useCountedApp } from './browser-app.js';
import { must } from './call.js';
import { createArticleTypes, createEntry, type TestEntry } from './factories/content.js';
import { createProject, type TestProject } from './factories/project.js';
import {
  createMember,
  createRole,
  memberPassword,
  systemRoleId,
  type TestGrant,
  type TestMember,
} from './members.js';

/** A project with articles in English and German, and its members. */
export class Team {
  constructor(
    readonly app: TestApp,
    readonly project: TestProject,
    private readonly browser: Browser,
  ) {}

  /** A member with a system role, or with these grants; `more` are ids of other roles. */
  async member(
    name: string,
    rights: string | readonly TestGrant[] = 'editor',
    more: string[] = [],
  ): Promise<TestMember> {
    const { app, project } = this;
    const roleId =
      typeof rights === 'string'
        ? await systemRoleId(app, project, rights)
        : await createRole(app, project, rights);
    return createMember(app, project, [roleId, ...more], name);
  }

  /** A role without permissions, which workflows can name. */
  role(): Promise<string> {
    return createRole(this.app, this.project, []);
  }

  article(fields: Record<string, unknown>): Promise<TestEntry> {
    return createEntry(this.app, this.project, { contentTypeApiName: 'article', fields });
  }

  /** Calls the management API as a member, or with the key of the project. */
  call<T = { id: string }>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { body, as }: { body?: object; as?: TestMember } = {},
  ): Promise<T> {
    const { management, keys } = this.project;
    return must<T>(this.app, {
      method,
      path: `${management}${path}`,
      key: as?.token ?? keys.management,
      body,
    });
  }

  /** Opens a screen of the project as a member. */
  async open({ email }: TestMember, address: string): Promise<Desk> {
    const desk = await openDeskAs(this.browser, this.app, { email, password: memberPassword });
    await desk.open(`${placeOf(this.project)}/${address}`);
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    return desk;
  }

  /** Draft, in review, approved; the transitions have these properties besides. */
  workflow(rest: { submit?: object; approve?: object; reject?: object } = {}): Promise<unknown> {
    return this.call('POST', '/workflows', {
      body: {
        name: 'Editorial',
        slug: 'editorial',
        contentTypes: ['article'],
        enforcement: 'strict',
        states: [
          { key: 'draft', name: 'Draft', isInitial: true, color: '#8a96a3' },
          { key: 'review', name: 'In review', color: '#1f6feb' },
          { key: 'approved', name: 'Approved', allowsPublish: true, color: '#1c6b3c' },
        ],
        transitions: [
          { from: 'draft', to: 'review', name: 'Ask for a review', ...rest.submit },
          { from: 'review', to: 'approved', name: 'Approve', ...rest.approve },
          { from: 'review', to: 'draft', name: 'Request changes', ...rest.reject },
        ],
      },
    });
  }

  async state(id: string): Promise<string> {
    return (await this.call<{ state: string }>('GET', `/entries/${id}/workflow`)).state;
  }

  /** Changes the title as a member or with the key. */
  async retitle(id: string, title: string, as?: TestMember): Promise<void> {
    const { version } = await this.call<TestEntry>('GET', `/entries/${id}`);
    await this.call('PUT', `/entries/${id}`, { body: { version, fields: { title } }, ...(as && { as }) });
  }
}

/** Makes a project with its members for one test. */
export function useTeams(): () => Promise<Team> {
  const usedApp = useCountedApp();
  const browser = useBrowser();
  return async () => {
    const app = usedApp();
    const project = await createProject(app, { locales: ['en', 'de'] });
    await createArticleTypes(app, project);
    return new Team(app, project, browser());
  };
}
