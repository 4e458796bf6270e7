/** What is shown beside the form, in the order of its buttons. */
export const panels = ['preview', 'workflow', 'comments', 'publication', 'versions', 'uses'] as const;

export type Panel = (typeof panels)[number];
