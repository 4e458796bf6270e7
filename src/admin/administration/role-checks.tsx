import { useQuery } from '@tanstack/react-query';
import { api, client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject } from '../api/project-data.js';
import type { ControlProps } from '../fields/field-editor.js';
import { OptionChecks } from '../resources/option-checks.js';
import { Loaded } from '../ui/states.js';

/** Every role of the project. */
export const useRoles = () => {
  const { slug: projectSlug, may } = useProject();
  return useQuery({
    queryKey: [...api.roles.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.roles.list.query({ projectSlug, page, limit: PAGE_SIZE })),
    enabled: may('roles.list'),
  });
};

/** Several roles. Those who may not list them see the ids of the chosen ones. */
export function RoleChecks(props: ControlProps) {
  const { may } = useProject();
  const roles = useRoles();
  if (!may('roles.list')) return <OptionChecks {...props} options={[]} />;
  return (
    <Loaded query={roles}>
      {(all) => <OptionChecks {...props} options={all.map(({ id, name }) => ({ value: id, label: name }))} />}
    </Loaded>
  );
}
