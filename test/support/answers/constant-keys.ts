/** Keys that have one value in every answer, each with its reason. */
export const constantKeys: Readonly<Record<string, string>> = {
  'Entry.workflow.slug': 'There are no workflows.',
  'Entry.workflow.state': 'There are no workflows.',
  'Entry.assigneeId': 'There are no workflows.',
  'ContentType.workflowSlug': 'There are no workflows.',
  'DeleteCheck.workflowCount': 'There are no workflows.',
};
