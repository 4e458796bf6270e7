export const taskKinds = ['transition', 'approval', 'translation', 'mention'] as const;

/** Whose work of which kind, which is in the address. */
export interface TaskSearch {
  /** Id of a user; absent: the user of the session. */
  readonly assignee?: string | undefined;
  readonly kind?: (typeof taskKinds)[number] | undefined;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const readTaskSearch = (given: Record<string, unknown>): TaskSearch => ({
  assignee: typeof given.assignee === 'string' && ID.test(given.assignee) ? given.assignee : undefined,
  kind: taskKinds.find((kind) => kind === given.kind),
});
