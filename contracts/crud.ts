import type { ErrorCode } from './error-codes.js';
import type { OperationMeta, RestMeta } from './metadata.js';
import { management } from './procedure.js';
import { managementRoute } from './routes.js';

interface CrudResource {
  /** Below the project, such as `/redirects`. */
  readonly path: `/${string}`;
  /** The path parameter and input key that names one of them. */
  readonly key: string;
  readonly resource: OperationMeta['resource'];
  readonly tags: string[];
  readonly notFound: ErrorCode;
  readonly pathAliases?: RestMeta['pathAliases'];
}

interface Described extends Omit<OperationMeta, 'audience' | 'openapi' | 'resource' | 'action'> {
  readonly summary: string;
  readonly description: string;
  /** What else REST and OpenAPI know of it. */
  readonly route?: Omit<RestMeta, 'method' | 'path' | 'tags' | 'summary' | 'description'>;
}

const verbs = {
  list: { method: 'GET', action: 'read' },
  create: { method: 'POST', action: 'create' },
  get: { method: 'GET', action: 'read' },
  update: { method: 'PUT', action: 'update' },
  delete: { method: 'DELETE', action: 'delete' },
} as const;

/**
 * The five plain operations of a resource of a project: their routes, rights and the errors that each of them has. A
 * deletion is confirmed (rule access/confirmation).
 */
export function crudOf({ path, key, resource, tags, notFound, pathAliases }: CrudResource) {
  const declare = (verb: keyof typeof verbs, { summary, description, route, ...meta }: Described) => {
    const { method, action } = verbs[verb];
    const isOne = verb !== 'list' && verb !== 'create';
    const common: ErrorCode[] = isOne
      ? [notFound, ...(verb === 'update' ? ['no_update_fields' as const] : [])]
      : [];
    return management({
      ...(verb === 'delete' && { confirmation: 'always' }),
      ...meta,
      openapi: managementRoute(method, isOne ? `${path}/{${key}}` : path, {
        summary,
        description,
        tags,
        ...(verb === 'create' && {
          success: { status: 201, location: `${path}/{${pathAliases?.[key] ?? key}}` },
        }),
        ...(isOne && pathAliases && { pathAliases }),
        ...route,
      }),
      resource,
      action,
      errors: [...common, ...(meta.errors ?? [])],
    });
  };
  return {
    list: (described: Described) => declare('list', described),
    create: (described: Described) => declare('create', described),
    get: (described: Described) => declare('get', described),
    update: (described: Described) => declare('update', described),
    delete: (described: Described) => declare('delete', described),
  };
}
