/** Workflows by the words of rules workflows/definition and workflows/approvals, in plain data. */
interface ModelTransition {
  readonly from: string;
  readonly to: string;
  readonly required?: number;
  readonly mayBeAuthor?: boolean;
}

export interface ModelWorkflow {
  readonly initial: string;
  readonly states: readonly string[];
  readonly publishing: readonly string[];
  readonly transitions: readonly ModelTransition[];
  readonly perLocale: boolean;
  readonly strict: boolean;
}

/** The workflow that every project starts with. */
export const fallback: ModelWorkflow = {
  initial: 'draft',
  states: ['draft', 'in_review', 'approved'],
  publishing: ['approved'],
  transitions: [
    { from: 'draft', to: 'in_review' },
    { from: 'in_review', to: 'approved' },
    { from: 'in_review', to: 'draft' },
    { from: 'approved', to: 'in_review' },
  ],
  perLocale: false,
  strict: false,
};

const review: ModelWorkflow = {
  ...fallback,
  states: ['draft', 'review', 'approved'],
  transitions: [
    { from: 'draft', to: 'review' },
    { from: 'review', to: 'approved', required: 2 },
    { from: 'review', to: 'draft' },
    { from: 'approved', to: 'review' },
  ],
};
const ideas: ModelWorkflow = {
  ...fallback,
  initial: 'idea',
  states: ['idea', 'draft', 'approved'],
  transitions: [
    { from: 'idea', to: 'draft' },
    { from: 'draft', to: 'approved', required: 2, mayBeAuthor: true },
    { from: 'approved', to: 'idea' },
    { from: 'draft', to: 'idea' },
  ],
};
const long: ModelWorkflow = {
  ...review,
  states: ['draft', 'review', 'approved', 'in_review'],
  publishing: ['approved', 'in_review'],
  transitions: [
    { from: 'draft', to: 'review' },
    { from: 'review', to: 'approved', required: 1 },
    { from: 'approved', to: 'in_review' },
    { from: 'in_review', to: 'review', required: 3, mayBeAuthor: true },
  ],
};

/** What a step can make the workflow of the entry. */
export const definitions: readonly ModelWorkflow[] = [
  review,
  { ...review, perLocale: true },
  { ...review, strict: true },
  { ...review, transitions: review.transitions.map((one) => ({ ...one, mayBeAuthor: true })) },
  { ...review, perLocale: true, transitions: review.transitions.map(({ from, to }) => ({ from, to })) },
  ideas,
  { ...ideas, perLocale: true, strict: true },
  long,
  { ...long, perLocale: true },
];

/** The body of a request that defines it. */
export const bodyOf = ({ states, initial, publishing, transitions, perLocale, strict }: ModelWorkflow) => ({
  perLocale,
  enforcement: strict ? 'strict' : 'advisory',
  states: states.map((key) => ({
    key,
    name: key,
    isInitial: key === initial,
    allowsPublish: publishing.includes(key),
  })),
  transitions: transitions.map(({ from, to, required, mayBeAuthor = false }) => ({
    from,
    to,
    approvals: required === undefined ? null : { required, distinctFromAuthor: !mayBeAuthor },
  })),
});

interface ModelApproval {
  readonly place: string;
  readonly from: string;
  readonly to: string;
  readonly user: string;
  isLapsed: boolean;
}

interface Written {
  readonly locales: readonly string[];
  readonly isShared: boolean;
  readonly author: string;
}

type Refusal =
  'invalid_transition' | 'permission_denied' | 'validation_failed' | 'workflow_not_approved' | 'in_use';

const WHOLE = '';

/** States and approvals of one entry. */
export class StateModel {
  workflow = fallback;
  isDropped = true;
  approvals: ModelApproval[] = [];
  readonly states = new Map<string, string>();
  readonly #changes: Written[] = [];

  constructor(author: string) {
    this.states.set('en', fallback.initial);
    this.#changes.push({ locales: ['en'], isShared: false, author });
  }

  placeOf(locale: string): string {
    return this.workflow.perLocale ? locale : WHOLE;
  }

  write(change: Written): void {
    this.#changes.push(change);
    const first = [...this.states.values()][0];
    for (const locale of change.locales)
      if (!this.states.has(locale))
        this.states.set(locale, this.workflow.perLocale ? this.workflow.initial : (first ?? ''));
    for (const approval of this.approvals) approval.isLapsed ||= this.#covers(approval.place, change);
    const written = change.isShared ? [...this.states.keys()] : change.locales;
    for (const locale of this.workflow.perLocale ? written : ['en'])
      if (this.workflow.publishing.includes(this.states.get(locale) ?? ''))
        this.#enter(this.placeOf(locale), this.workflow.initial);
  }

  move(locale: string, to: string, actor: string): Refusal | undefined {
    const from = this.states.get(locale);
    if (this.workflow.perLocale && from === undefined) return 'validation_failed';
    const place = this.placeOf(locale);
    const here = from ?? this.states.get('en') ?? '';
    const transition = this.workflow.transitions.find((one) => one.from === here && one.to === to);
    if (transition === undefined) return 'invalid_transition';
    const { required, mayBeAuthor = false } = transition;
    if (required === undefined) return this.#enter(place, to);
    if (actor === 'key') return 'permission_denied';
    const author = this.#changes.findLast((change) => this.#covers(place, change))?.author;
    if (!mayBeAuthor && author === actor) return 'permission_denied';
    const isOf = (one: ModelApproval) => one.place === place && one.from === here && one.to === to;
    const valid = this.approvals.filter((one) => isOf(one) && !one.isLapsed);
    const others = valid.filter(({ user }) => user !== actor);
    if (others.length + 1 >= required) return this.#enter(place, to);
    if (valid.length > others.length) return 'invalid_transition';
    this.approvals = this.approvals.filter((one) => !isOf(one) || one.user !== actor);
    this.approvals.push({ place, from: here, to, user: actor, isLapsed: false });
    return undefined;
  }

  canPublish(locale: string): boolean {
    const { strict, publishing } = this.workflow;
    return !strict || publishing.includes(this.states.get(locale) ?? '');
  }

  /** Another definition of the same workflow, or another workflow. */
  define(next: ModelWorkflow, isDropped: boolean, isDeleted: boolean): Refusal | undefined {
    const isOther = this.isDropped || isDropped;
    const before = this.workflow;
    const moved = new Map<string, string>();
    for (const [locale, state] of this.states) {
      const isStart = isOther && state === before.initial;
      if (isStart) moved.set(locale, next.initial);
      else if (next.states.includes(state)) moved.set(locale, state);
      else if (isDeleted) moved.set(locale, next.initial);
      else return 'in_use';
    }
    const isUnified = before.perLocale && !next.perLocale && new Set(moved.values()).size > 1;
    for (const [locale, state] of moved) this.states.set(locale, isUnified ? next.initial : state);
    const rule = (of: ModelWorkflow, { from, to }: ModelApproval) => {
      const found = of.transitions.find((one) => one.from === from && one.to === to);
      return found?.required === undefined ? undefined : found.mayBeAuthor === true;
    };
    this.approvals = this.approvals.filter(
      (one) =>
        !isOther &&
        before.perLocale === next.perLocale &&
        rule(next, one) !== undefined &&
        rule(next, one) === rule(before, one),
    );
    this.workflow = next;
    this.isDropped = isDropped;
    return undefined;
  }

  #enter(place: string, to: string): undefined {
    for (const locale of this.states.keys())
      if (place === WHOLE || place === locale) this.states.set(locale, to);
    this.approvals = this.approvals.filter((one) => one.place !== place);
  }

  #covers(place: string, { locales, isShared }: Written): boolean {
    return place === WHOLE || isShared || locales.includes(place);
  }
}
