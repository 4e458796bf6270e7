import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../infrastructure/errno.js';
import { appRouter, boundOperations } from '../../procedures/index.js';
import { systemSdl } from '../../surfaces/graphql/project/system-fields.js';
import { mcpToolsDocument } from '../../surfaces/mcp/tools-document.js';
import { buildOpenApiDocument } from '../../surfaces/rest/openapi/openapi-document.js';
import { version } from '../../process/config/version.js';

const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Content by path from the root of the repository. Deterministic. */
export function buildGeneratedFiles(): Map<string, string> {
  return new Map([
    ['openapi/openapi.json', json(buildOpenApiDocument(appRouter, { version }))],
    ['openapi/system.graphql', systemSdl()],
    ['openapi/mcp-tools.json', json(mcpToolsDocument(boundOperations(appRouter)))],
  ]);
}

export async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export async function staleFiles(root: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, content] of files) {
    if ((await contentOf(path.join(root, name))) !== content) stale.push(name);
  }
  return stale;
}
