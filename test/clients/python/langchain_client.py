"""LangChain's adapter for Python offers the tools of the service, and one is called as a model would."""

import asyncio
import json
import os

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main() -> None:
    client = MultiServerMCPClient(
        {
            "headwater": {
                "transport": "streamable_http",
                "url": os.environ["MCP"],
                "headers": {"Authorization": f"Bearer {os.environ['MANAGEMENT_KEY']}"},
            }
        }
    )
    tools = {tool.name: tool for tool in await client.get_tools()}
    types = await tools["list_content_types"].ainvoke({})
    print(json.dumps({"tools": list(tools), "types": str(types)}))


asyncio.run(main())
