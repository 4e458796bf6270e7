/** Values of a span's attributes. Never content, parameters, header values or queries of URLs. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes?: SpanAttributes;
}

/** Where a trace comes from, in the form of a W3C `traceparent` header. Invalid ones are ignored. */
export type TraceParent = string | undefined;

/** A span in progress. */
export interface OpenSpan {
  /** As they are in log lines. */
  readonly ids: { readonly traceId: string; readonly spanId: string };
  /** Header by which another system, or later work, continues the trace. */
  readonly traceParent: string;
  /** Work that outlives its span belongs to no trace. */
  readonly isOpen: boolean;
  child(start: SpanStart): OpenSpan;
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** @param type a code or the name of an error, never its message */
  fail(type: string): void;
  end(): void;
}

/** Starts traces. */
export interface Tracer {
  start(span: SpanStart, parent?: TraceParent): OpenSpan;
}

const ERROR_CODE = /^\w{1,60}$/;

/** The SQLSTATE, code or name of an error; messages can quote values. */
export function errorType(error: unknown): string {
  const { code, sqlState, name } = Object(error) as Record<'code' | 'sqlState' | 'name', unknown>;
  const known = [sqlState, code, name].find((one) => typeof one === 'string' && ERROR_CODE.test(one));
  return (known as string | undefined) ?? typeof error;
}

interface TracedStatement {
  readonly name?: string | undefined;
  readonly text: string;
}

/** Where the table of a statement may be. Statements of models have values in their text, the first after a quote. */
const READ_CHARACTERS = 4000;
const FIRST_WORD = /^[\s(]*([a-z]{1,20})\b/i;
const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]{0,62})\b/i;

/** Named by the statement's name, or else by its first word and table. */
export function statementSpan({ name, text }: TracedStatement): SpanStart {
  const [head = ''] = text.slice(0, READ_CHARACTERS).split("'", 1);
  const word = FIRST_WORD.exec(head)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE.exec(head)?.[1];
  const summary = name ?? (table === undefined ? word : `${word} ${table}`);
  return {
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': word,
      'db.query.summary': summary,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}
