import type { Response } from 'supertest';
import type { TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { createArticleTypes, createEntry } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { sessionWith, type TestGrant } from '../../support/members.js';

/** Takes a method and a path below the management API: `GET /entries`. */
type Caller = (line: string, body?: object) => Promise<Response>;

/** A project with two sites for callers with limited rights. */
export interface RightsScene {
  readonly app: TestApp;
  readonly project: TestProject;
  readonly otherSiteId: string;
  /** Calls with a credential. */
  as(key: string): Caller;
  /** Calls as a new member with these grants. */
  member(...grants: TestGrant[]): Promise<Caller>;
  /** Creates an article; returns its id. */
  article(fields?: object, more?: object): Promise<string>;
}

export async function openRights(app: TestApp): Promise<RightsScene> {
  const project = await createProject(app);
  await createArticleTypes(app, project);
  const as =
    (key: string): Caller =>
    (line, body) => {
      const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
      return send(app, { method, path: `${project.management}${path}`, body, key });
    };
  const made = await as(project.keys.management)('POST /sites', { slug: 'other', name: 'Other' });
  const { id: otherSiteId } = (made.body as { data: { id: string } }).data;
  return {
    app,
    project,
    otherSiteId,
    as,
    member: async (...grants) => as(await sessionWith(app, project, grants)),
    article: async (fields = {}, more = {}) => {
      const title = `Article ${unique()}`;
      return (
        await createEntry(app, project, {
          contentTypeApiName: 'article',
          fields: { title, ...fields },
          ...more,
        })
      ).id;
    },
  };
}

/** Status and error code. */
export const outcome = ({ status, body }: Response): [number, string | undefined] => [
  status,
  (body as { error?: string }).error,
];

export const listed = ({ body }: Response): { ids: string[]; total: number } => {
  const { data, meta } = body as { data: { id: string }[]; meta: { total: number } };
  return { ids: data.map(({ id }) => id).sort(), total: meta.total };
};
