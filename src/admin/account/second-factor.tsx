import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { api, client } from '../api/client.js';
import { logOut } from '../api/sessions-client.js';
import { PasskeyInstead, RecoveryCodes } from './passkeys.js';
import { CodeField, codeFailure } from '../session/code-step.js';
import { hasPasskeys } from '../session/passkey-button.js';
import { t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
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
  readonly onCode: (code: string) => Promise<void>;
  readonly isDangerous?: boolean;
}

const CodeForm = ({ submit, onCode, isDangerous = false }: CodeFormProps) => (
  <CallForm
    failureText={codeFailure}
    isNarrow
    look={isDangerous ? 'danger' : 'primary'}
    onSubmit={async (read) => {
      await onCode(read('code'));
      return undefined;
    }}
    submit={submit}
  >
    <CodeField />
  </CallForm>
);

/** Secret, code, recovery codes. */
function Enrollment({ onDone }: { readonly onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
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
            onCode={async (code) => {
              const { data } = await client.secondFactor.confirm.mutate({ code });
              setCodes(data.recoveryCodes);
              notify(t('factor.enabled'));
            }}
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
        {hasPasskeys && <PasskeyInstead onDone={onDone} />}
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
          <CodeForm isDangerous={verb === 'disable'} onCode={perform} submit={t(`factor.${verb}`)} />
        </>
      ) : (
        <RecoveryCodes codes={codes} onKept={onClose} />
      )}
    </Dialog>
  );
}

export const secondFactorQuery = () => api.secondFactor.get.queryOptions({});

export function SecondFactorPart() {
  const [open, setOpen] = useState<'enroll' | WithCodeProps['verb']>();
  const query = useQuery(secondFactorQuery());
  const close = (): void => {
    setOpen(undefined);
    void query.refetch();
  };
  return (
    <section aria-labelledby="account-factor" className="screen-part stack">
      <h2 id="account-factor">{t('factor.title')}</h2>
      <Loaded query={query}>
        {({ data: { isEnabled, passkeys, recoveryCodesLeft: count } }) => (
          <>
            <p>
              {isEnabled
                ? t('factor.on', { count })
                : passkeys > 0
                  ? t('factor.passkeys', { count })
                  : t('factor.off')}
            </p>
            <div className="row">
              {!isEnabled && (
                <button className="button" onClick={() => setOpen('enroll')} type="button">
                  {t('factor.setUp')}
                </button>
              )}
              {(isEnabled || passkeys > 0) && (
                <button className="button" onClick={() => setOpen('renew')} type="button">
                  {t('factor.renew')}
                </button>
              )}
              {isEnabled && (
                <button className="button" onClick={() => setOpen('disable')} type="button">
                  {t('factor.disable')}
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
