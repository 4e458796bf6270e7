import type { Response } from 'supertest';
import type { TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { createArticleTypes, createEntry } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { sessionWith, type TestGrant } from '../../support/members.js';

/** Calls below the project's management address: `GET /entries`. */
type Caller = (line: string, body?: object) => Promise<Response>;

/** A project with two sites, whose content some may see and change in part. */
export interface RightsScene {
  readonly app: TestApp;
  readonly project: TestProject;
  readonly otherSiteId: string;
  /** Calls with a credential. */
  as(key: string): Caller;
  /** Calls of a new member with these rights. */
  member(...grants: TestGrant[]): Promise<Caller>;
  /** Makes an article; answers its id. */
  article(fields?: object, more?: object): Promise<string>;
}

/** Opens a scene over a running service. */
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

/** Status and code of an answer. */
export const outcome = ({ status, body }: Response): [number, string | undefined] => [
  status,
  (body as { error?: string }).error,
];

/** Ids of a list's items, and its total. */
export const listed = ({ body }: Response): { ids: string[]; total: number } => {
  const { data, meta } = body as { data: { id: string }[]; meta: { total: number } };
  return { ids: data.map(({ id }) => id).sort(), total: meta.total };
};
