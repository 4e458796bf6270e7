import type { Requirement } from './requirement.js';

/** Processes, load, faults and promises of operation. */
export const operation = {
  'entries/import-exports': {
    source: 'operation',
    text: 'headwater import brings the export of another system completely, names every loss, continues after a stop, and changes nothing when it runs again.',
  },
  'entries/import-jobs': {
    source: 'entries/import',
    text: 'A job imports an uploaded export with the present rights of its caller: dry run, mapping, losses, repetition and cancellation.',
  },
  'limits/input-unaltered': {
    source: 'http/input',
    text: 'Nothing from outside is altered: kept exactly or refused with 422.',
  },
  'limits/isolation': {
    source: 'limits/isolation',
    text: 'Two walls stand between tenants; the service cannot pass them.',
  },
  'limits/statement-timeouts': {
    source: 'limits/overload',
    text: 'Statements, locks and idle transactions are bounded; the caller gets 503 with Retry-After.',
  },
  'limits/bounded-queues': {
    source: 'limits/overload',
    text: 'No queue without a bound: what would wait behind too many is refused with 503.',
  },
  'operation/documentation': {
    source: 'additive',
    text: 'The documentation is served at /docs/guides/ as static pages with search, from this service alone.',
  },
  'operation/request-log': {
    source: 'operation',
    text: 'Every request leaves one structured line, without secrets and query strings.',
  },
  'operation/metrics': {
    source: 'operation',
    text: 'Metrics are shown to their token, or on a separate port.',
  },
  'limits/overload': {
    source: 'limits/overload',
    text: 'What is too much is answered 503 at once, and the service recovers by itself.',
  },
  'operation/no-secrets': {
    source: 'operation',
    text: 'Planted secrets appear in no log line, audit record, error or list.',
  },
  'operation/stop-uploads': {
    source: 'limits/overload',
    text: 'At SIGTERM a request in progress ends in time or is answered 503 with Retry-After, and no unfinished file is left.',
  },
  'operation/stop': {
    source: 'limits/overload',
    text: 'At SIGTERM readiness fails first, every answer closes its connection, and the process ends with 0 in time.',
  },
  'operation/processes': {
    source: 'operation',
    text: 'Several processes share one port; one that ends is replaced, and they stop in order, together.',
  },
  'operation/process-roles': {
    source: 'operation',
    text: 'A process with the role worker does the jobs and answers probes; one with the role api does none.',
  },
  'limits/neighbours': {
    source: 'limits/neighbours',
    text: 'A neighbour that hangs holds up few requests, each for a limited time, ends with its client, and is seen in readiness and metrics.',
  },
  'limits/neighbours-logged': {
    source: 'limits/neighbours',
    text: 'An outage is one log line when it starts and one when it ends, not one per attempt.',
  },
  'limits/database-clock': {
    source: 'limits/neighbours',
    text: "What is due, stamps and expiry follow the database's clock; a clock that differs is logged and shows in readiness.",
  },
  'operation/readiness': {
    source: 'operation',
    text: 'Readiness tells the truth about database, migrations and queue, and fails first at a stop.',
  },
  'operation/refused-writes': {
    source: 'operation',
    text: 'While the database refuses writes, they are 503 with a logged cause, reads go on, and readiness names the part.',
  },
  'operation/bounded-start': {
    source: 'operation',
    text: 'A start that waits for the database or the migration lock says so once, and gives up at a limit.',
  },
  'operation/poolers': {
    source: 'operation',
    text: 'Through a pooler in transaction mode every role works and leaves no state in its sessions; what cannot work is refused at start.',
  },
  'operation/replicas': {
    source: 'operation',
    text: 'Published reads use replicas that have every change that a process knows of; others are left out and come back.',
  },
  'operation/proxies': {
    source: 'operation',
    text: 'Behind a proxy with TLS nothing is cut, held up or compressed twice, and the service knows the address of the client.',
  },
  'operation/deployment-files': {
    source: 'operation',
    text: 'The unit of systemd and the manifests for Kubernetes are valid, and name settings and probes that the service has.',
  },
  'operation/releases': {
    source: 'operation',
    text: 'A release has passed every check, and has an archive, a bill of materials and their checksums.',
  },
  'operation/upgrades': {
    source: 'operation',
    text: 'Two releases run beside each other on the newer schema, and no write is lost between them.',
  },
  'operation/migrations-beside': {
    source: 'operation',
    text: 'Migrations beside a process that serves give way to its locks, and one that fails or is killed stops no start.',
  },
  'operation/backup': {
    source: 'operation',
    text: 'A backup of one moment is restored whole or not at all, and what a restore lost is named and provided.',
  },
  'limits/database-away': {
    source: 'limits/overload',
    text: 'Without its database the service answers 503 and recovers by itself.',
  },
  'content/settings-effective': {
    source: 'content/values',
    text: 'isActive of a site, isBlock of a type, treeNodeCount and dataRegion of a tenant have their effect.',
  },
  'http/input-read-modify-write': {
    source: 'http/input',
    text: 'A PUT accepts what GET returns; read-only keys with other values are read_only.',
  },
  'http/location': {
    source: 'http/headers',
    text: 'Every resource that can be created can be read at its Location.',
  },
  'http/idempotency-unknown-outcome': {
    source: 'http/idempotency',
    text: 'A connection lost at COMMIT is 503 with an unknown outcome; a retry with its Idempotency-Key takes effect once.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
