import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  getObjectShape,
  safeParse,
  type AnyObjectSchema,
  type SchemaOutput,
} from '@modelcontextprotocol/sdk/server/zod-compat.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  Notification,
  Request,
  Result,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { issuesOf } from '../../../contracts/errors.js';
import { RpcFailure, rpcCodes } from './rpc-failure.js';

type Extra = RequestHandlerExtra<ServerRequest | Request, ServerNotification | Notification>;
type Answer = ServerResult | Result;

/** Reports invalid parameters as −32602, also of the methods that the SDK registers; the SDK reports −32603. */
export class AgentServer extends Server {
  override setRequestHandler<T extends AnyObjectSchema>(
    schema: T,
    handler: (request: SchemaOutput<T>, extra: Extra) => Answer | Promise<Answer>,
  ): void {
    const method = getObjectShape(schema)?.method;
    super.setRequestHandler(z.looseObject({ method }), (request, extra) => {
      const parsed = safeParse(schema, request);
      if (parsed.success) return handler(parsed.data, extra);
      const issues = parsed.error instanceof z.core.$ZodError ? issuesOf(parsed.error) : [];
      throw new RpcFailure(rpcCodes.invalidParams, 'Invalid parameters.', { issues });
    });
  }
}
