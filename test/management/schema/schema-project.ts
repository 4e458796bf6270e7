import type { Response } from 'supertest';
import type {
  SchemaDocument,
  SchemaApply,
  SchemaPlan,
} from '../../../contracts/deployment/schema/schema-plan.js';
import type { TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import type { TestProject } from '../../support/factories/project.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A document as a client writes it. */
export type Written = { readonly [Section in keyof SchemaDocument]?: readonly object[] | undefined };

/** The schema of a project, through REST. */
export class SchemaProject {
  constructor(
    readonly app: TestApp,
    readonly project: TestProject,
    readonly key = project.keys.management,
    /** By default that of the key. */
    readonly environment?: string,
  ) {}

  send(method: Method, path: string, body?: object): Promise<Response> {
    return send(this.app, this.#call(method, path, body));
  }

  must<T>(method: Method, path: string, body?: object): Promise<T> {
    return must<T>(this.app, this.#call(method, path, body));
  }

  #call(method: Method, path: string, body?: object) {
    const { project, key, environment } = this;
    return { method, path: `${project.management}${path}`, key, body, environment };
  }

  async export(): Promise<SchemaDocument> {
    return (await this.must<{ schema: SchemaDocument }>('GET', '/schema/export')).schema;
  }

  plan(schema: Written): Promise<SchemaPlan> {
    return this.must<SchemaPlan>('POST', '/schema/plan', { schema });
  }

  apply(schema: Written, more: object = {}): Promise<SchemaApply> {
    return this.must<SchemaApply>('POST', '/schema/apply', { schema, ...more });
  }

  /** What a change raises, or writes. */
  async traces(): Promise<object> {
    const { tenantId } = this.project;
    const [row] = await this.app.rows<object>(
      tenantId,
      `SELECT (SELECT revision::text FROM environment_heads WHERE tenant_id = $1) AS revision,
         (SELECT count(*)::int FROM audit_events WHERE tenant_id = $1) AS records,
         (SELECT count(*)::int FROM outbox_events WHERE tenant_id = $1) AS events`,
      [tenantId],
    );
    return row ?? {};
  }
}
