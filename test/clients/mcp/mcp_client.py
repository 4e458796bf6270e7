"""The second major version of the SDK for Python finds the revision of the service, lists, calls and reads."""

import asyncio
import json
import os

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['MANAGEMENT_KEY']}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(os.environ["MCP"], http_client=http)) as client:
            tools = await client.list_tools()
            found = await client.call_tool("list_content_types", {})
            failing = await client.call_tool("get_content_type", {"apiName": "nothing"})
            prompts = await client.list_prompts()
            print(
                json.dumps(
                    {
                        "revision": client.protocol_version,
                        "tools": [tool.name for tool in tools.tools],
                        "types": [one["apiName"] for one in found.structured_content["data"]],
                        "failing": failing.structured_content["error"],
                        "prompts": [prompt.name for prompt in prompts.prompts],
                    }
                )
            )


asyncio.run(main())
