import type { ServerResponse } from 'node:http';
import { Attached } from './exchange-value.js';

/** What log and metrics tell of a request; each part is noted by whoever learns it. */
export interface RequestNote {
  /** `rest`, `trpc`, `graphql`, `mcp`, or `service` for the process's own paths. */
  surface: string;
  /** The operation's name in the registry, or the agent's tool; of a path that leads nowhere `none`. */
  operation: string;
  /** The path with its parameters' names. */
  route: string;
  /** Where it does not stand in the headers that were set. */
  requestId?: string;
  tenantId?: string | null;
  project?: string | null;
  principalId?: string | null;
}

const notes = new Attached<ServerResponse, RequestNote>();

/** The note of a request, begun with the first who asks. */
export function noteOf(response: ServerResponse): RequestNote {
  let note = notes.get(response);
  if (note === undefined) {
    note = { surface: 'none', operation: 'none', route: 'none' };
    notes.set(response, note);
  }
  return note;
}
