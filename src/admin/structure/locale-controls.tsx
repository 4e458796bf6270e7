import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject } from '../api/project-data.js';
import { OptionSelect } from '../fields/choice-editors.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { OptionChecks } from '../resources/option-checks.js';
import { localeName } from '../texts/index.js';
import { Loaded } from '../ui/states.js';

/** Locales of the tenant, with what is served where one is missing. */
export function useLocales() {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [['locales'], projectSlug],
    queryFn: () => everyItem((page) => client.locales.list.query({ projectSlug, page, limit: PAGE_SIZE })),
  });
}

export function LocaleChecks(props: PropertyControlProps) {
  return (
    <Loaded query={useLocales()}>
      {(all) => (
        <OptionChecks
          {...props}
          options={all.map(({ code }) => ({ value: code, label: localeName(code) }))}
        />
      )}
    </Loaded>
  );
}

export function LocaleChoice(props: PropertyControlProps) {
  return (
    <Loaded query={useLocales()}>
      {(all) => (
        <OptionSelect
          {...props}
          options={all.map(({ code }) => ({ value: code, label: localeName(code) }))}
        />
      )}
    </Loaded>
  );
}
