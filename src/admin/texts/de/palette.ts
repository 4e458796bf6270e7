import type { Translated } from '../en/index.js';
import type { palette as english } from '../en/palette.js';

export const palette: Translated<typeof english> = {
  'palette.title': 'Suchen und Befehle',
  'palette.button': 'Suchen',
  'palette.label': 'Eintrag, Datei, Ansicht oder Aktion finden',
  'palette.results': 'Ergebnisse',
  'palette.recent': 'Zuletzt geöffnet',
  'palette.screens': 'Ansichten',
  'palette.actions': 'Aktionen',
  'palette.entries': 'Einträge',
  'palette.files': 'Dateien',
  'palette.file': 'Datei',
  'palette.entriesOf': 'Einträge: {type}',
  'palette.newEntry': 'Neuer Eintrag: {type}',
  'palette.environment': 'Zur Umgebung {name} wechseln',
  'palette.theme': 'Farbschema: {name}',
  'palette.searching': 'Suche läuft …',
  'palette.none': 'Zu „{text}“ wurde nichts gefunden.',
  'palette.count': 'Ergebnisse: {count}',
  'palette.offline': 'Sie sind offline: Einträge und Dateien lassen sich nicht suchen.',
};
