import { AppError } from '../../../../contracts/errors.js';

/** SQL condition: the row `p` is kept for the promotion. */
export const keptRows = 'p.tenant_id = $1 AND p.promotion_id = $2';

export const taken = (code: ConstructorParameters<typeof AppError>[0]) => () => new AppError(code);

/** Errors of values that another row of the environment has, by constraint. */
export const takenValues = {
  custom_field_types_api_name_key: taken('api_name_conflict'),
  workflows_slug_key: taken('slug_conflict'),
  content_types_api_name_key: taken('api_name_conflict'),
  content_types_type_name_key: taken('api_name_conflict'),
  media_folders_name_key: taken('folder_conflict'),
  tree_nodes_entry_key: taken('entry_in_tree'),
  redirects_source_key: taken('redirect_conflict'),
};
