"""The client that openapi-generator makes for Python lists, reads and creates, and receives a failure."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.getcwd(), "client"))

from headwater_client import ApiClient, Configuration, DeliveryApi, EntriesApi, EntriesCreateRequest  # noqa: E402
from headwater_client.exceptions import ApiException  # noqa: E402

PROJECT, SITE = os.environ["PROJECT"], os.environ["SITE"]


def client(key: str) -> ApiClient:
    return ApiClient(Configuration(host=os.environ["SERVICE"], access_token=os.environ[key]))


delivery = DeliveryApi(client("DELIVERY_KEY"))
entries = EntriesApi(client("MANAGEMENT_KEY"))


def failure_of(call) -> list:
    try:
        call()
    except ApiException as failure:
        return [failure.status, json.loads(failure.body)["error"]]
    return []


listed = delivery.delivery_list_content(PROJECT, SITE, "article", order_by="createdAt:asc")
first = delivery.delivery_get_entry(PROJECT, SITE, listed.data[0].id)
created = entries.entries_create(
    PROJECT,
    EntriesCreateRequest(
        contentTypeApiName="article",
        siteId=os.environ["SITE_ID"],
        fields={"title": "Made by a generated client"},
    ),
)
read = entries.entries_get(PROJECT, str(created.data.id))

print(
    json.dumps(
        {
            "titles": [one.fields["title"] for one in listed.data],
            "first": first.data.fields["title"],
            "created": read.data.fields["title"],
            "missing": failure_of(lambda: delivery.delivery_list_content(PROJECT, SITE, "nothing")),
            "unauthorized": failure_of(
                lambda: EntriesApi(
                    ApiClient(Configuration(host=os.environ["SERVICE"], access_token="hwm_unknown"))
                ).entries_get(PROJECT, str(created.data.id))
            ),
        }
    )
)
