import type { BoundOperation } from '../../procedures/index.js';
import { resourcesOf } from './resources.js';
import { toolsOf } from './tools.js';

/** What `tools/list` and `resources/list` answer, as one document (`openapi/mcp-tools.json`). */
export function mcpToolsDocument(operations: readonly BoundOperation[]): object {
  return {
    tools: toolsOf(operations).map(({ description }) => description),
    resources: resourcesOf(operations).map(({ description }) => description),
  };
}
