import type { SchemaApply, SchemaPlan } from '../../../contracts/vocabulary/schema-plan.js';
import { ProjectApi, type ServiceOptions } from '../client/project-api.js';

/** The schema operations of a project. */
export class SchemaService {
  readonly #api: ProjectApi;

  constructor(options: ServiceOptions) {
    this.#api = new ProjectApi(options);
  }

  async pull(): Promise<string> {
    return (await this.#api.send('GET', '/schema/export?format=yaml')).text();
  }

  plan(schema: unknown): Promise<SchemaPlan> {
    return this.#api.post<SchemaPlan>('/schema/plan', { schema });
  }

  apply(schema: unknown, allowDestructive: boolean): Promise<SchemaApply> {
    return this.#api.post<SchemaApply>('/schema/apply', { schema, allowDestructive });
  }
}
