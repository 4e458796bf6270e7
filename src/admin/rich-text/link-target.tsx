import { useId, useState } from 'react';
import { isSafeHref } from '../../content/rich-text/safe-href.js';
import { EntryPicker } from '../fields/entry-picker.js';
import { LinkedEntry } from '../fields/link-editors.js';
import { AssetCard } from '../media/asset-card.js';
import { AssetPicker } from '../media/asset-picker.js';
import { t } from '../texts/index.js';
import { allowsSome, type AllowedTargets } from './allowed-targets.js';

const kinds = ['href', 'entryId', 'assetId'] as const;
type Kind = (typeof kinds)[number];

/** What a link leads to: a URL, or the id of an entry or asset with an anchor. */
export interface LinkTarget {
  readonly kind: Kind;
  readonly value: string;
  readonly anchor: string;
}

/** As the service accepts it. */
const ANCHOR = /^[^\s#\p{Cc}]{1,200}$/u;

/** Of the attributes of a link. */
export function targetOf(attrs: Readonly<Record<string, unknown>> | undefined): LinkTarget {
  const kind = kinds.find((one) => typeof attrs?.[one] === 'string') ?? 'href';
  const textOf = (name: string): string => (attrs?.[name] as string | null | undefined) ?? '';
  return { kind, value: textOf(kind), anchor: kind === 'href' ? '' : textOf('anchor') };
}

/** A name with a top-level domain, and what may follow it. */
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(\p{L}{2,})(?::\d+)?(?:[/?#]|$)/u;
const MAIL = /^[^\s@/:]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;
/** Ends of relative paths. */
const FILE = /^(?:html?|php|aspx?|jsp|pdf|txt|xml|json)$/i;

/** An address as people type it, with the scheme that it lacks. */
function completeAddress(typed: string): string {
  const address = typed.trim();
  if (MAIL.test(address)) return `mailto:${address}`;
  const [, end] = DOMAIN.exec(address) ?? [];
  return end === undefined || FILE.test(end) ? address : `https://${address}`;
}

/** Attributes of a link; undefined if the target is incomplete or not allowed. */
export function attributesOf({
  kind,
  value,
  anchor,
}: LinkTarget): Readonly<Record<string, string | null>> | undefined {
  if (value.trim() === '') return undefined;
  if (kind === 'href') {
    const href = completeAddress(value);
    return isSafeHref(href) ? { href, anchor: null } : undefined;
  }
  if (anchor !== '' && !ANCHOR.test(anchor)) return undefined;
  return { [kind]: value, anchor: anchor === '' ? null : anchor };
}

interface Props {
  readonly target: LinkTarget;
  readonly allowed: AllowedTargets;
  readonly onChange: (target: LinkTarget) => void;
  readonly onEnter: () => void;
}

function KindChoice({ target, allowed, onChange }: Omit<Props, 'onEnter'>) {
  const isAllowed = (kind: Kind): boolean =>
    kind === 'href' || allowsSome(kind === 'entryId' ? allowed.entries : allowed.assets);
  return (
    <fieldset className="field">
      <legend className="label">{t('rich.linkTo')}</legend>
      <div className="row">
        {kinds
          .filter((kind) => isAllowed(kind) || kind === target.kind)
          .map((kind) => (
            <label className="row tight" key={kind}>
              <input
                checked={kind === target.kind}
                name="kind"
                onChange={() => onChange({ kind, value: '', anchor: '' })}
                type="radio"
                value={kind}
              />
              {t(`rich.linkTo.${kind}`)}
            </label>
          ))}
      </div>
    </fieldset>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly hint?: string | undefined;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
}

function TextInput({ label, value, problem, hint, isFirst = false, onChange, onEnter }: TextProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        aria-describedby={`${id}-problem`}
        aria-invalid={problem !== undefined}
        className="input"
        data-focus={isFirst ? true : undefined}
        id={id}
        onChange={(event) => onChange(event.target.value)}
        // There is no form: the dialog can be within one.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
        value={value}
      />
      <div id={`${id}-problem`}>
        {problem !== undefined && <p className="problem">{problem}</p>}
        {hint !== undefined && <p className="soft small">{hint}</p>}
      </div>
    </div>
  );
}

/** An entry or asset, and the anchor in it. */
function NamedTarget({ target, allowed, onChange, onEnter }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { kind, value, anchor } = target;
  const label = t(`rich.linkTo.${kind}`);
  const close = (): void => setIsOpen(false);
  const choose = ({ id }: { readonly id: string }): void => {
    onChange({ ...target, value: id });
    close();
  };
  const isAnchor = anchor === '' || ANCHOR.test(anchor);
  const Picker = kind === 'entryId' ? EntryPicker : AssetPicker;
  return (
    <>
      <div aria-label={label} className="field" role="group">
        <div className="linked">
          {value === '' && <span className="soft grow">{t('field.none')}</span>}
          {value !== '' &&
            (kind === 'entryId' ? <LinkedEntry link={{ _ref: value }} /> : <AssetCard id={value} />)}
          <button className="button" onClick={() => setIsOpen(true)} type="button">
            {value === '' ? t('field.choose') : t('field.replace')}
          </button>
        </div>
        {isOpen && (
          <Picker
            onChoice={choose}
            onClose={close}
            types={kind === 'entryId' ? allowed.entries : allowed.assets}
          />
        )}
      </div>
      <TextInput
        label={t('rich.linkAnchor')}
        onChange={(changed) => onChange({ ...target, anchor: changed })}
        onEnter={onEnter}
        problem={isAnchor ? undefined : t('rich.linkAnchorInvalid')}
        value={anchor}
      />
    </>
  );
}

/** Chooses what a link leads to. */
export function LinkTargetFields(props: Props) {
  const { target, onChange, onEnter } = props;
  const address = completeAddress(target.value);
  const isSafe = address === '' || isSafeHref(address);
  return (
    <>
      <KindChoice {...props} />
      {target.kind === 'href' ? (
        <TextInput
          hint={address === target.value.trim() ? undefined : t('rich.linkCompleted', { address })}
          isFirst
          label={t('rich.linkAddress')}
          onChange={(value) => onChange({ ...target, value })}
          onEnter={onEnter}
          problem={isSafe ? undefined : t('rich.linkInvalid')}
          value={target.value}
        />
      ) : (
        <NamedTarget {...props} key={target.kind} />
      )}
    </>
  );
}
