import type { Response } from 'supertest';
import type { TestApp } from '../../support/app.js';
import { send, type RestCall } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';

/** Amounts in one of two currencies. */
export const moneySchema = {
  type: 'object',
  properties: { amount: { type: 'number', minimum: 0 }, currency: { enum: ['EUR', 'USD'] } },
  required: ['amount', 'currency'],
  additionalProperties: false,
};

/** A project with calls by its management key. */
export interface CustomScene {
  readonly app: TestApp;
  readonly project: TestProject;
  /** @param path below the management API of the project */
  call(method: RestCall['method'], path: string, body?: unknown): Promise<Response>;
  register(body: Record<string, unknown>): Promise<Response>;
}

export async function openCustomScene(app: TestApp): Promise<CustomScene> {
  const project = await createProject(app);
  const call: CustomScene['call'] = (method, path, body) =>
    send(app, { method, path: `${project.management}${path}`, key: project.keys.management, body });
  return {
    app,
    project,
    call,
    register: (body) =>
      call('POST', '/custom-field-types', { name: 'Type', jsonSchema: moneySchema, ...body }),
  };
}

/** Issues as `path code`. */
export function issuesOf({ body }: Response): string[] {
  const { issues = [] } =
    (body as { details?: { issues?: { path: unknown[]; code: string }[] } }).details ?? {};
  return issues.map(({ path, code }) => `${path.join('.')} ${code}`);
}
