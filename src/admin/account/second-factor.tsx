import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { encode } from 'uqr';
import { api, client } from '../api/client.js';
import type { Failure } from '../api/failure.js';
import { logOut } from '../api/sessions-client.js';
import { useCall } from '../api/use-call.js';
import { CodeField, codeFailure } from '../session/code-step.js';
import { t } from '../texts/index.js';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';

/** Dark modules on white in both themes: cameras read no inverted code. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      aria-label={t('factor.picture')}
      className="qr-code"
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${String(size)} ${String(size)}`}
    >
      <rect fill="#fff" height={size} width={size} />
      <path d={path} fill="#000" />
    </svg>
  );
}

interface CodeFormProps {
  readonly submit: string;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
  readonly onCode: (code: string) => void;
  readonly isDangerous?: boolean;
}

function CodeForm({ submit, failure, isBusy, onCode, isDangerous = false }: CodeFormProps) {
  const problemId = useId();
  return (
    <form
      aria-describedby={problemId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onCode((new FormData(event.currentTarget).get('code') ?? '') as string);
      }}
    >
      <CodeField />
      <p aria-live="polite" className="problem" id={problemId}>
        {failure && codeFailure(failure)}
      </p>
      <div className="actions">
        <button className={isDangerous ? 'button danger' : 'button primary'} disabled={isBusy} type="submit">
          {submit}
        </button>
      </div>
    </form>
  );
}

function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}) {
  return (
    <div className="stack">
      <p className="notice warn">{t('factor.codesHint')}</p>
      <ul aria-label={t('factor.codes')} className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={codes.join('\n')} />
        <button className="button primary" onClick={onKept} type="button">
          {t('factor.codesKept')}
        </button>
      </div>
    </div>
  );
}

/** Secret, code, recovery codes. */
function Enrollment({ onDone }: { readonly onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const { isBusy, failure, run } = useCall();
  const started = useQuery({
    queryKey: ['second-factor', 'enrollment'],
    queryFn: async () => (await client.secondFactor.enroll.mutate({})).data,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <Loaded query={started}>
      {({ secret, uri }) => (
        <div className="stack">
          <p>{t('factor.scan')}</p>
          <QrCode text={uri} />
          <label className="field">
            <span className="label">{t('factor.secret')}</span>
            <input className="input code" readOnly value={secret} />
          </label>
          <CodeForm
            failure={failure}
            isBusy={isBusy}
            onCode={(code) =>
              void run(async () => {
                const { data } = await client.secondFactor.confirm.mutate({ code });
                setCodes(data.recoveryCodes);
                notify(t('factor.enabled'));
              })
            }
            submit={t('factor.confirm')}
          />
        </div>
      )}
    </Loaded>
  );
}

/** Shown instead of every other screen where the tenant requires a second factor. */
export function RequiredSecondFactor({ onDone }: { readonly onDone: () => void }) {
  return (
    <main className="login">
      <section aria-labelledby="factor-title" className="card stack">
        <h1 id="factor-title">{t('factor.title')}</h1>
        <p className="notice">{t('factor.required')}</p>
        <Enrollment onDone={onDone} />
        <button className="button plain" onClick={() => void logOut()} type="button">
          {t('login.logout')}
        </button>
      </section>
    </main>
  );
}

interface WithCodeProps {
  readonly verb: 'renew' | 'disable';
  readonly onClose: () => void;
}

function WithCode({ verb, onClose }: WithCodeProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const { isBusy, failure, run } = useCall();
  const perform = async (code: string): Promise<void> => {
    if (verb === 'renew') {
      setCodes((await client.secondFactor.renewCodes.mutate({ code })).data.recoveryCodes);
      return;
    }
    await client.secondFactor.disable.mutate({ code });
    notify(t('factor.disabled'));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t(`factor.${verb}`)}>
      {codes === undefined ? (
        <>
          <p>{t(`factor.${verb}Hint`)}</p>
          <CodeForm
            failure={failure}
            isBusy={isBusy}
            isDangerous={verb === 'disable'}
            onCode={(code) => void run(() => perform(code))}
            submit={t(`factor.${verb}`)}
          />
        </>
      ) : (
        <RecoveryCodes codes={codes} onKept={onClose} />
      )}
    </Dialog>
  );
}

export function SecondFactorPart() {
  const [open, setOpen] = useState<'enroll' | WithCodeProps['verb']>();
  const query = useQuery(api.secondFactor.get.queryOptions({}));
  const close = (): void => {
    setOpen(undefined);
    void query.refetch();
  };
  return (
    <section aria-labelledby="account-factor" className="screen-part stack">
      <h2 id="account-factor">{t('factor.title')}</h2>
      <Loaded query={query}>
        {({ data: { isEnabled, recoveryCodesLeft } }) => (
          <>
            <p>{isEnabled ? t('factor.on', { count: recoveryCodesLeft }) : t('factor.off')}</p>
            <div className="row">
              {isEnabled ? (
                (['renew', 'disable'] as const).map((verb) => (
                  <button className="button" key={verb} onClick={() => setOpen(verb)} type="button">
                    {t(`factor.${verb}`)}
                  </button>
                ))
              ) : (
                <button className="button" onClick={() => setOpen('enroll')} type="button">
                  {t('factor.setUp')}
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {open === 'enroll' && (
        <Dialog onClose={close} title={t('factor.title')}>
          <Enrollment onDone={close} />
        </Dialog>
      )}
      {(open === 'renew' || open === 'disable') && <WithCode onClose={close} verb={open} />}
    </section>
  );
}
