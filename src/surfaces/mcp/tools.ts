import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ToolMeta } from '../../../contracts/metadata.js';
import type { BoundOperation } from '../../procedures/index.js';
import { argumentsOf, inputSchemaOf, outputSchemaOf, type ToolArguments } from './tool-schemas.js';
import { resourcesOf } from './resources.js';

export interface AgentTool {
  readonly name: string;
  readonly description: Tool;
  readonly arguments: ToolArguments;
  readonly operation: BoundOperation;
  readonly meta: ToolMeta;
}

/**
 * Hints that differ from the defaults of the protocol: tools write, destroy, are not idempotent and reach other systems.
 * The title is that of the tool.
 */
function annotationsOf(tool: ToolMeta): Tool['annotations'] {
  const isReadOnly = tool.readOnly === true;
  return {
    ...(isReadOnly && { readOnlyHint: true }),
    ...(!isReadOnly && tool.destructive !== true && { destructiveHint: false }),
    ...(!isReadOnly && tool.idempotent === true && { idempotentHint: true }),
    ...(tool.openWorld !== true && { openWorldHint: false }),
  };
}

function toolOf(operation: BoundOperation, tool: ToolMeta): AgentTool {
  const toolArguments = argumentsOf(operation, tool);
  return {
    name: tool.tool,
    arguments: toolArguments,
    operation,
    meta: tool,
    description: {
      name: tool.tool,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(toolArguments, tool),
      outputSchema: outputSchemaOf(operation, tool),
      annotations: annotationsOf(tool),
    },
  };
}

/** The tools that operations declare, sorted by name (rules mcp/transport and mcp/tools). */
export function toolsOf(operations: readonly BoundOperation[]): AgentTool[] {
  const tools = operations.flatMap((operation) =>
    operation.meta.mcp ? [toolOf(operation, operation.meta.mcp)] : [],
  );
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The results of `tools/list` and `resources/list` (`openapi/mcp-tools.json`). */
export function mcpToolsDocument(operations: readonly BoundOperation[]): object {
  return {
    tools: toolsOf(operations).map(({ description }) => description),
    resources: resourcesOf(operations).map(({ description }) => description),
  };
}
