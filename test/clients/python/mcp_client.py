"""The SDK for Python lists the tools of the service, calls one and reads a resource."""

import asyncio
import json
import os

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['MANAGEMENT_KEY']}"}
    async with httpx.AsyncClient(headers=headers) as http:
        async with streamable_http_client(os.environ["MCP"], http_client=http) as streams:
            async with ClientSession(*streams[:2]) as session:
                await session.initialize()
                tools = await session.list_tools()
                found = await session.call_tool("list_content_types", {})
                failing = await session.call_tool("get_content_type", {"apiName": "nothing"})
                prompts = await session.list_prompts()
                print(
                    json.dumps(
                        {
                            "tools": [tool.name for tool in tools.tools],
                            "types": [one["apiName"] for one in structured(found)["data"]],
                            "failing": structured(failing)["error"],
                            "prompts": [prompt.name for prompt in prompts.prompts],
                        }
                    )
                )


def structured(result):
    return getattr(result, "structured_content", None) or result.structuredContent


asyncio.run(main())
