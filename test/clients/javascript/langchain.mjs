// LangChain's adapter offers the tools of the service, and one is called as a model would.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const { MCP, MANAGEMENT_KEY } = process.env;
const client = new MultiServerMCPClient({
  mcpServers: {
    headwater: { transport: 'http', url: MCP, headers: { Authorization: `Bearer ${MANAGEMENT_KEY}` } },
  },
});
const tools = await client.getTools();
const named = (name) => tools.find((tool) => tool.name === name);
const types = await named('list_content_types').invoke({});
const failing = await named('get_content_type')
  .invoke({ apiName: 'nothing' })
  .catch((error) => error.message);
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), types, failing }));
