/** Kinds of items that every copy of an environment has, also without its content. */
export const schemaKinds: readonly string[] = ['contentType', 'customFieldType', 'workflow'];
