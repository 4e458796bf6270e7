"""Creates and publishes topics that a project lacks: topics.py <title> …"""

import json
import os
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

ADDRESS = f"{os.environ['HEADWATER_URL']}/api/v1/projects/{quote(os.environ['HEADWATER_PROJECT'])}"
ATTEMPTS = 5


def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['HEADWATER_KEY']}", "Content-Type": "application/json"}
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urlopen(Request(ADDRESS + path, data, headers, method=method), timeout=30) as response:
                return json.load(response)
        except HTTPError as failure:
            if failure.code not in (429, 503) or attempt == ATTEMPTS:
                sys.exit(f"{method} {path}: {failure.code} {failure.read().decode()}")
            time.sleep(float(failure.headers.get("Retry-After", 2**attempt)))


def every(path):
    page = pages = 1
    while page <= pages:
        listed = call("GET", f"{path}{'&' if '?' in path else '?'}limit=100&page={page}")
        yield from listed["data"]
        page, pages = page + 1, listed["meta"]["pages"]


known = {entry["fields"]["title"] for entry in every("/entries?contentTypeApiName=topic")}
site = next(site["id"] for site in every("/sites") if site["slug"] == os.environ["HEADWATER_SITE"])
for title in sys.argv[1:]:
    if title in known:
        print(f"{title}: known")
        continue
    new = {"siteId": site, "contentTypeApiName": "topic", "fields": {"title": title}}
    entry = call("POST", "/entries", new)["data"]
    call("POST", f"/entries/{entry['id']}/publish", {})
    print(f"{title}: published")
