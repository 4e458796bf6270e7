/** What the first process tells one that serves. Connections come with the first kind. */
export type ToMember =
  | { readonly type: 'connection'; readonly id: number }
  /** Readiness fails and every answer closes its connection, while connections still come. */
  | { readonly type: 'begin-drain' }
  /** No connection follows: finish what has begun and end. */
  | { readonly type: 'drain' }
  /** What one process found out and all shall know. */
  | { readonly type: 'share'; readonly value: unknown }
  /** What is asked of every process, such as its readings. */
  | { readonly type: 'ask'; readonly id: number }
  /** The answer to `ask-all`. */
  | { readonly type: 'all-answers'; readonly id: number; readonly value: unknown };

/** What a process that serves tells the first one. */
export type FromMember =
  | { readonly type: 'ready' }
  /** The connection has arrived. */
  | { readonly type: 'received'; readonly id: number }
  /** It cannot start; one line for people. */
  | { readonly type: 'failed'; readonly reason: string }
  /** It was told to stop, not by the first process. */
  | { readonly type: 'leaving' }
  | { readonly type: 'share'; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  /** Asks what all processes answer to `ask`, brought together by the first. */
  | { readonly type: 'ask-all'; readonly id: number };
