import { useState } from 'react';
import { chooseLanguage, language, languages, t, type Language } from '../texts/index.js';
import { applyTheme, theme, themes, type Theme } from '../ui/theme.js';

/** Theme and language of this browser. */
export function Preferences() {
  const [chosen, setChosen] = useState(theme);
  return (
    <div className="row">
      <label className="field grow">
        <span className="small soft">{t('theme.label')}</span>
        <select
          className="select"
          onChange={({ target }) => {
            applyTheme(target.value as Theme);
            setChosen(target.value as Theme);
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
          onChange={({ target }) => chooseLanguage(target.value as Language)}
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
