import type { AuditAction, EventName } from '../../../contracts/change-names.js';
import type { ChangedEntry } from '../../infrastructure/entry-changes.js';
import { Turns } from '../../infrastructure/lazy.js';
import { redactSecrets } from '../../infrastructure/redaction.js';
import { currentSpan } from '../../infrastructure/work-context.js';
import type { WorkConnection } from '../connections/work-connection.js';
import type { Address, WorkScope } from './work-scope.js';

/** Collects the changes of a unit of work that is rolled back and emits nothing. */
export class Rehearsal {
  #changes: readonly RecordedChange[] = [];
  #movesPublicPaths = false;

  /** Secrets redacted, in the order of the records. */
  get changes(): readonly RecordedChange[] {
    return this.#changes;
  }

  /** Whether the path of something published would change. */
  get movesPublicPaths(): boolean {
    return this.#movesPublicPaths;
  }

  /** A repeated run replaces the one before. */
  note(changes: readonly RecordedChange[], movesPublicPaths: boolean): void {
    this.#changes = changes;
    this.#movesPublicPaths = movesPublicPaths;
  }
}

/** Ends the transaction of a rehearsal; carries its result. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';

  constructor(readonly answer: unknown) {
    super('a rehearsal was rolled back');
  }
}

export type Snapshot = Readonly<Record<string, unknown>>;

/** `before` is null for a creation, `after` for a removal. */
export interface Change {
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string; readonly name: string };
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  readonly siteId?: string | null | undefined;
  readonly locale?: string | null | undefined;
  /** Tenant of a platform change. */
  readonly tenantId?: string | undefined;
  /** Where it was changed, if not at the address of the call. */
  readonly address?: Address | undefined;
  /** Whether it was changed along with what the call names; all records and events then share a cause. */
  readonly isAlong?: boolean | undefined;
}

/** The environment that was changed, if not that of the call. */
interface Changed {
  readonly environment?: Address['environment'];
}

/** With secrets redacted and the keys that differ. */
export interface RecordedChange extends Change, Changed {
  readonly changedFields: readonly string[];
}

/** The call that changed several things (rule events/records). */
export interface Cause {
  readonly requestId: string;
  /** Of the record of what the call names. */
  readonly action: string;
}

/** An event for webhooks. */
export interface OutboxEvent {
  readonly type: EventName;
  readonly data: Snapshot;
  /** Whose webhooks receive it, if not those of the call's project: changes of a tenant concern all of its projects. */
  readonly address?: Address;
}

function changedKeys(before: Snapshot | null, after: Snapshot | null): string[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]));
}

/** Records and events of one statement. */
const WRITTEN_AT_ONCE = 500;

/** Removes what one statement writes, if that is not all. */
const takeFirst = <T>(list: T[]): T[] =>
  list.length > WRITTEN_AT_ONCE ? list.splice(0, WRITTEN_AT_ONCE) : [];

/** The database numbers and chains the records. */
const AUDIT_COLUMNS = `id, tenant_id, project_id, project_slug, environment_id, environment, site_id, locale, at, action, actor,
  target, before, after, changed_fields, context, metadata`;
const OUTBOX_COLUMNS = 'id, tenant_id, project_id, environment_id, type, payload, created_at';

interface Target {
  readonly connection: WorkConnection;
  readonly scope: WorkScope;
  readonly now: Date;
  newId(): string;
}

/** Collects the changes of a unit of work and writes audit records and outbox rows before the commit. */
export class ChangeLog {
  readonly #changes: (Change & Changed)[] = [];
  readonly #events: (OutboxEvent & Changed)[] = [];
  readonly #touched: ChangedEntry[] = [];
  /** Known before the changes that decide it are written. */
  #cause: Cause | null | undefined;
  #movesPublicPaths = false;

  /** Whether the path of something published changes, which rehearsals report. */
  get movesPublicPaths(): boolean {
    return this.#movesPublicPaths;
  }

  notePublicPath(): void {
    this.#movesPublicPaths = true;
  }

  record(change: Change & Changed): void {
    this.#changes.push(change);
  }

  emit(event: OutboxEvent & Changed): void {
    this.#events.push(event);
  }

  /** Notes an entry whose draft or publication changes, for those who preview it. */
  touch(entry: ChangedEntry): void {
    this.#touched.push(entry);
  }

  get touched(): readonly ChangedEntry[] {
    return this.#touched;
  }

  get isLong(): boolean {
    return this.#changes.length > WRITTEN_AT_ONCE || this.#events.length > WRITTEN_AT_ONCE;
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  recorded(): RecordedChange[] {
    return this.#changes.map((change) => ({
      ...change,
      before: redactSecrets(change.before),
      after: redactSecrets(change.after),
      changedFields: changedKeys(change.before, change.after),
    }));
  }

  /** Moves everything to the log of the whole, as changed along with it. */
  moveTo(whole: ChangeLog): void {
    for (const change of this.#changes) whole.record({ ...change, isAlong: true });
    for (const event of this.#events) whole.emit(event);
    for (const entry of this.#touched) whole.touch(entry);
    if (this.#movesPublicPaths) whole.notePublicPath();
  }

  /**
   * Writes all but the last of many changes, which are too long for one statement and for one turn of the event loop.
   * Nothing may be added afterwards.
   */
  async flush(target: Target): Promise<void> {
    this.#cause = this.#causeOf(target);
    const turns = new Turns();
    while (this.isLong) {
      const some = new ChangeLog();
      some.#cause = this.#cause;
      for (const change of takeFirst(this.#changes)) some.record(change);
      for (const event of takeFirst(this.#events)) some.emit(event);
      await some.write(target);
      await turns.pause();
    }
  }

  /** Null if the call changed only what it names. */
  #causeOf({ scope }: Target): Cause | null {
    if (this.#cause !== undefined) return this.#cause;
    if (!this.#changes.some(({ isAlong }) => isAlong)) return null;
    const named = this.#changes.find(({ isAlong }) => isAlong !== true) ?? this.#changes[0];
    return { requestId: scope.origin.requestId, action: named?.action ?? '' };
  }

  /**
   * One statement, the last of the transaction.
   * @returns the tags that the triggers noted in the transaction
   */
  async write(target: Target): Promise<string> {
    const bind: string[] = [];
    const parts: string[] = [];
    const given = (rows: readonly object[]): string => `$${String(bind.push(JSON.stringify(rows)))}::jsonb`;
    if (this.#changes.length > 0) {
      parts.push(`audit AS (INSERT INTO audit_events (${AUDIT_COLUMNS})
        SELECT ${AUDIT_COLUMNS} FROM jsonb_populate_recordset(NULL::audit_events, ${given(this.#auditRows(target))}))`);
    }
    if (this.#events.length > 0) {
      parts.push(`outbox AS (INSERT INTO outbox_events (${OUTBOX_COLUMNS})
        SELECT ${OUTBOX_COLUMNS} FROM jsonb_populate_recordset(NULL::outbox_events, ${given(this.#outboxRows(target))}))`);
    }
    const name = `write_changes_${this.#changes.length > 0 ? 'a' : ''}${this.hasEvents ? 'e' : ''}`;
    const text = `${parts.length > 0 ? `WITH ${parts.join(', ')}` : ''} SELECT current_setting('headwater.purge', true) AS tags`;
    const [noted] = await target.connection.run<{ tags: string | null }>({ name, text }, bind);
    return noted?.tags ?? '';
  }

  #auditRows(target: Target): object[] {
    const { scope, now, newId } = target;
    const cause = this.#causeOf(target);
    const context = redactSecrets({ ...scope.origin, ...(cause && { cause }) });
    return this.recorded().map(({ address, ...change }) => ({
      id: newId(),
      tenant_id: address?.tenant.id ?? change.tenantId ?? scope.tenantId,
      project_id: address?.project.id ?? scope.projectId,
      project_slug: address?.project.slug ?? scope.projectSlug,
      environment_id: (change.environment ?? address?.environment)?.id ?? scope.environmentId,
      environment: (change.environment ?? address?.environment)?.slug ?? scope.environmentSlug,
      site_id: change.siteId ?? null,
      locale: change.locale ?? null,
      at: now,
      action: change.action,
      actor: scope.actor,
      target: redactSecrets(change.target),
      before: change.before,
      after: change.after,
      changed_fields: change.changedFields,
      context,
      metadata: scope.metadata,
    }));
  }

  #outboxRows(target: Target): object[] {
    const { scope, now, newId } = target;
    const cause = this.#causeOf(target);
    const traceParent = currentSpan()?.traceParent;
    return this.#events.map(({ type, data, environment, address }) => ({
      id: newId(),
      tenant_id: address?.tenant.id ?? scope.tenantId,
      project_id: address?.project.id ?? scope.projectId,
      environment_id: (environment ?? address?.environment)?.id ?? scope.environmentId,
      type,
      payload: {
        project: { slug: address?.project.slug ?? scope.projectSlug },
        environment: (environment ?? address?.environment)?.slug ?? scope.environmentSlug,
        actor: scope.actor,
        timestamp: now,
        requestId: scope.origin.requestId,
        cause,
        ...(traceParent !== undefined && { traceParent }),
        data,
      },
      created_at: now,
    }));
  }
}

/** Part of a log: changes of another environment in the same unit of work. */
export class EnvironmentLog extends ChangeLog {
  constructor(
    private readonly whole: ChangeLog,
    private readonly environment: Address['environment'],
  ) {
    super();
  }

  override record(change: Change): void {
    this.whole.record({ environment: this.environment, ...change });
  }

  override notePublicPath(): void {
    this.whole.notePublicPath();
  }

  override touch(entry: ChangedEntry): void {
    this.whole.touch(entry);
  }

  override emit(event: OutboxEvent): void {
    this.whole.emit({ environment: this.environment, ...event });
  }
}
