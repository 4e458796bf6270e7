import { useState } from 'react';
import { chooseLanguage, language, languages, t, type Language } from '../texts/index.js';
import { saveProfile } from '../session/profile.js';
import { notifyFailure } from '../ui/toasts.js';
import { applyTheme, theme, themes, type Theme } from '../ui/theme.js';

/** Theme and language of the user, before the login those of this browser. */
export function Preferences() {
  const [chosen, setChosen] = useState(theme);
  return (
    <div className="row">
      <label className="field grow">
        <span className="small soft">{t('theme.label')}</span>
        <select
          className="select"
          onChange={({ target }) => {
            const next = target.value as Theme;
            applyTheme(next);
            setChosen(next);
            saveProfile({ theme: next === 'system' ? null : next }).catch(notifyFailure);
          }}
          value={chosen}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`theme.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="field grow">
        <span className="small soft">{t('language.label')}</span>
        <select
          className="select"
          onChange={({ target }) => {
            const next = target.value as Language;
            saveProfile({ language: next }).then(() => chooseLanguage(next), notifyFailure);
          }}
          value={language}
        >
          {languages.map(({ code, name }) => (
            <option key={code} lang={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
