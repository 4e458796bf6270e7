import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client.js';
import type { Issue } from '../api/failure.js';
import { typeOf, useProject, type ContentType, type Project } from '../api/project-data.js';
import type { TextRange } from '../fields/discussion.js';
import { IssueText, NamedEntry, useMessageOf } from '../fields/issue-text.js';
import { itemsOf } from './items.js';
import { isOwnBlock } from '../../content/model/own-block.js';
import { t } from '../texts/index.js';
import { SLUG, type Values } from './draft.js';
import { pathText } from './path-text.js';
import { pathInBlock } from './paths.js';
import { problemsOf, type Problems, type Refusal } from './problems.js';
import { usePlace } from './place.js';

/** A field that is looked for, with a number that grows with each request. */
interface Revealed {
  readonly path: string;
  readonly request: number;
  /** A part of the text there, which is selected. */
  readonly range?: TextRange | undefined;
}

/** Blocks open one level after the other before the field inside them is there. */
const TRIES = 40;
const TRY_MILLISECONDS = 25;

const controls = [
  '[aria-invalid="true"]',
  '[contenteditable="true"]',
  ':is(input, textarea, select, button:not(.comment-button, [disabled]), [tabindex="0"])',
] as const;

/** Focuses the control at a path, or where the field of it begins. */
function focusAt({ path, range }: Revealed, form = '.editor-form'): boolean {
  const row = document.querySelector<HTMLElement>(`${form} [data-path="${CSS.escape(path)}"]`);
  if (row === null) return false;
  const control = controls.map((one) => row.querySelector<HTMLElement>(one)).find((one) => one !== null);
  (control ?? row).scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
  if (range !== undefined && (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement))
    control.setSelectionRange(range.from, range.to);
  return true;
}

/** Leads to a field by its path: opens the blocks around it and focuses its control. */
type Show = (path: string, range?: TextRange) => void;

function useReveal(): readonly [Revealed | undefined, Show] {
  const [revealed, setRevealed] = useState<Revealed>();
  useEffect(() => {
    if (revealed === undefined) return undefined;
    let tries = 0;
    const timer = setInterval(() => {
      tries += 1;
      if (focusAt(revealed) || tries >= TRIES) clearInterval(timer);
    }, TRY_MILLISECONDS);
    return () => clearInterval(timer);
  }, [revealed]);
  return [
    revealed,
    (path, range) => setRevealed((last) => ({ path, range, request: (last?.request ?? 0) + 1 })),
  ];
}

/** Every path of a form, in its order. */
function pathsIn(project: Project, type: ContentType | undefined, values: Values): string[] {
  return (type?.fields ?? []).flatMap(({ apiName }) => {
    const value = values[apiName];
    const items = Array.isArray(value) ? (value as unknown[]) : itemsOf(value);
    const inside = items.flatMap((item, index) => {
      if (!isOwnBlock(item)) return [`${apiName}[#${String(index)}]`];
      const own = pathsIn(project, typeOf(project, item._type), item.fields);
      const inBlock = own.map((path) => pathInBlock(apiName, item._ref, path));
      return [`${apiName}[${item._ref}]`, ...inBlock];
    });
    return [apiName, ...inside];
  });
}

/** The paths with problems from the top of the form to its end. */
function problemOrder(
  project: Project,
  { type, values, problems }: Pick<Props, 'type' | 'values' | 'problems'>,
): string[] {
  const order = [...pathsIn(project, type, values), SLUG];
  const placeOf = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length);
  return [...problems.keys()].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Leads to fields by links, and to the first one that is wrong after each refusal of what the user asked for. */
export function useProblemFocus(form: Pick<Props, 'type' | 'values' | 'problems'>, refusalCount: number) {
  const project = useProject();
  const [revealed, show] = useReveal();
  useEffect(() => {
    const [first] = problemOrder(project, form);
    if (refusalCount > 0 && first !== undefined) show(first);
  }, [refusalCount]);
  return { revealed, show };
}

/** Leads to a field of the locale beside: to the innermost one that is shown. */
export function showBeside(path: string): void {
  const steps = path.split(/(?=[[.])/);
  const paths = steps.map((_, index) => steps.slice(0, steps.length - index).join(''));
  paths.find((one) => focusAt({ path: one, request: 0 }, '.locale-cell.other'));
}

interface Props {
  readonly title?: string;
  readonly type: ContentType;
  readonly values: Values;
  readonly problems: Problems;
  /** What other entries lack that would be published along. */
  readonly along?: Refusal['along'];
  readonly onShow: (path: string) => void;
}

/** What another entry lacks, with the way to it. */
export function OtherEntry({ id, issues }: { readonly id: string; readonly issues: readonly Issue[] }) {
  const project = useProject();
  const { locale } = usePlace();
  const call = { projectSlug: project.slug, id, locale };
  const { data } = useQuery(api.entries.get.queryOptions(call, { retry: false }));
  const entry = data?.data;
  const type = entry === undefined ? undefined : typeOf(project, entry.contentTypeApiName);
  const known = [entry?.fields ?? {}];
  const messageOf = useMessageOf();
  return [...problemsOf(issues, entry?.fields, messageOf)].map(([path, messages]) => (
    <li key={path}>
      <NamedEntry id={id} />: {pathText({ project, type, known }, path)}{' '}
      <IssueText text={messages.join(' ')} />
    </li>
  ));
}

const noOthers: Refusal['along'] = new Map();

/** Everything that was refused, each with a link to its field. */
export function ProblemList(props: Props) {
  const { title = t('problems.title'), type, values, problems, along = noOthers, onShow } = props;
  const project = useProject();
  if (problems.size === 0 && along.size === 0) return null;
  return (
    <nav aria-label={title} className="notice bad problem-list" dir="ltr">
      <ul>
        {problemOrder(project, { type, values, problems }).map((path) => (
          <li key={path}>
            <button className="link" onClick={() => onShow(path)} type="button">
              {pathText({ project, type, known: [values] }, path)}
            </button>{' '}
            <IssueText text={(problems.get(path) ?? []).join(' ')} />
          </li>
        ))}
        {[...along].map(([id, issues]) => (
          <OtherEntry id={id} issues={issues} key={id} />
        ))}
      </ul>
    </nav>
  );
}
