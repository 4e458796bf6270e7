// The library of Standard Webhooks verifies what the service has sent.
import { Webhook } from 'standardwebhooks';

const { SECRET, DELIVERY } = process.env;
const { headers, body } = JSON.parse(DELIVERY);
const webhook = new Webhook(SECRET);
const isVerified = (text) => {
  try {
    return webhook.verify(text, headers).type;
  } catch (error) {
    return error.name;
  }
};
console.log(JSON.stringify({ sent: isVerified(body), changed: isVerified(body.replace('}', ' }')) }));
