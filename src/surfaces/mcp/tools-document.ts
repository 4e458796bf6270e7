import type { BoundOperation } from '../../procedures/index.js';
import { resourcesOf } from './resources.js';
import { toolsOf } from './tools.js';

/** The results of `tools/list` and `resources/list` (`openapi/mcp-tools.json`). */
export function mcpToolsDocument(operations: readonly BoundOperation[]): object {
  return {
    tools: toolsOf(operations).map(({ description }) => description),
    resources: resourcesOf(operations).map(({ description }) => description),
  };
}
