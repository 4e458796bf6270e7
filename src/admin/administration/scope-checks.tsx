import { localesOf, useProject } from '../api/project-data.js';
import type { ControlProps } from '../fields/field-editor.js';
import { OptionChecks } from '../resources/option-checks.js';
import { localeName } from '../texts/index.js';

/** Sites of the project. */
export function SiteChecks(props: ControlProps) {
  const { sites } = useProject();
  return <OptionChecks {...props} options={sites.map(({ id, name }) => ({ value: id, label: name }))} />;
}

export function TypeChecks(props: ControlProps) {
  const { types } = useProject();
  return (
    <OptionChecks {...props} options={types.map(({ apiName, name }) => ({ value: apiName, label: name }))} />
  );
}

/** Locales of the sites. */
export function LocaleChecks(props: ControlProps) {
  const locales = localesOf(useProject());
  return (
    <OptionChecks {...props} options={locales.map((code) => ({ value: code, label: localeName(code) }))} />
  );
}

export function EnvironmentChecks(props: ControlProps) {
  const { environments } = useProject();
  return (
    <OptionChecks {...props} options={environments.map(({ slug, name }) => ({ value: slug, label: name }))} />
  );
}
