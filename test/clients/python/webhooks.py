"""The library of Standard Webhooks for Python verifies what the service has sent."""

import json
import os

from standardwebhooks import Webhook, WebhookVerificationError

sent = json.loads(os.environ["DELIVERY"])
webhook = Webhook(os.environ["SECRET"])


def verified(body: str) -> str:
    try:
        return webhook.verify(body, sent["headers"])["type"]
    except WebhookVerificationError:
        return "refused"


print(json.dumps({"sent": verified(sent["body"]), "changed": verified(sent["body"].replace("}", " }", 1))}))
