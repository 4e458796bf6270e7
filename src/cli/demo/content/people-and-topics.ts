import { html, type DemoEntry } from './demo-entry.js';

/** Topics, authors, callouts and quotes: what the stories and pages are put together from. */
export const peopleAndTopics: readonly DemoEntry[] = [
  {
    name: 'locks',
    type: 'topic',
    site: 'main',
    locales: {
      en: {
        slug: 'locks',
        fields: { title: 'Locks', description: 'Gates, paddles and the patience of water.' },
      },
      de: {
        slug: 'schleusen',
        fields: { title: 'Schleusen', description: 'Tore, Schütze und die Geduld des Wassers.' },
      },
      fr: {
        slug: 'ecluses',
        fields: { title: 'Écluses', description: 'Des portes, des vannes et la patience de l’eau.' },
      },
    },
  },
  {
    name: 'boats',
    type: 'topic',
    site: 'main',
    locales: {
      en: {
        slug: 'boats',
        fields: { title: 'Boats', description: 'How they are built, steered and mended.' },
      },
      de: { slug: 'boote', fields: { title: 'Boote', description: 'Wie man sie baut, steuert und flickt.' } },
      fr: {
        slug: 'bateaux',
        fields: { title: 'Bateaux', description: 'Comment on les construit, les mène et les répare.' },
      },
    },
  },
  {
    name: 'wildlife',
    type: 'topic',
    site: 'main',
    locales: {
      en: {
        slug: 'wildlife',
        fields: { title: 'Wildlife', description: 'Those who were on the river before us.' },
      },
      de: {
        slug: 'tierwelt',
        fields: { title: 'Tierwelt', description: 'Alle, die vor uns am Fluss waren.' },
      },
      fr: {
        slug: 'faune',
        fields: { title: 'Faune', description: 'Ceux qui habitaient la rivière avant nous.' },
      },
    },
  },
  {
    name: 'maud',
    type: 'author',
    site: 'main',
    shared: { name: 'Maud Ferris', email: 'maud@alderwater.example', since: '1998-04-01' },
    locales: {
      en: {
        slug: 'maud-ferris',
        fields: {
          role: 'Lock keeper',
          biography: html(
            '<p>Maud has kept the Upper Lock for half her life and has fallen in <em>only twice</em>.</p>',
          ),
        },
      },
      de: {
        slug: 'maud-ferris',
        fields: {
          role: 'Schleusenwärterin',
          biography: html(
            '<p>Maud hütet seit ihrem halben Leben die Obere Schleuse und ist <em>erst zweimal</em> hineingefallen.</p>',
          ),
        },
      },
      fr: {
        slug: 'maud-ferris',
        fields: {
          role: 'Éclusière',
          biography: html(
            '<p>Maud tient l’écluse d’amont depuis la moitié de sa vie et n’y est tombée que <em>deux fois</em>.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'jonas',
    type: 'author',
    site: 'boatyard',
    shared: { name: 'Jonas Hellweg', email: 'jonas@boatyard.example', since: '2011-09-15' },
    locales: {
      de: {
        slug: 'jonas-hellweg',
        fields: {
          role: 'Bootsbauer',
          biography: html('<p>Jonas hört am Klang einer Planke, ob sie noch zehn Jahre hält.</p>'),
        },
      },
      en: {
        slug: 'jonas-hellweg',
        fields: {
          role: 'Boatbuilder',
          biography: html(
            '<p>Jonas can hear from the sound of a plank whether it is good for another ten years.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'cill',
    type: 'callout',
    site: 'main',
    shared: { tone: 'warning' },
    locales: {
      en: {
        slug: 'mind-the-cill',
        fields: {
          title: 'Mind the cill',
          body: html(
            '<p>Going down, keep the stern <strong>well forward</strong> of the white line. The cill does not move.</p>',
          ),
        },
      },
      de: {
        slug: 'achtung-drempel',
        fields: {
          title: 'Achtung, Drempel!',
          body: html(
            '<p>Bei der Talfahrt bleibt das Heck <strong>deutlich vor</strong> der weißen Linie. Der Drempel gibt nicht nach.</p>',
          ),
        },
      },
      fr: {
        slug: 'attention-au-busc',
        fields: {
          title: 'Attention au busc',
          body: html(
            '<p>En avalant, gardez la poupe <strong>bien en avant</strong> de la ligne blanche. Le busc, lui, ne bouge pas.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'quiet-hours',
    type: 'callout',
    site: 'main',
    shared: { tone: 'tip' },
    locales: {
      en: {
        slug: 'quiet-hours',
        fields: {
          title: 'Quiet hours',
          body: html('<p>Engines rest from eight in the evening to eight in the morning. Owls do not.</p>'),
        },
      },
      de: {
        slug: 'ruhezeiten',
        fields: {
          title: 'Ruhezeiten',
          body: html(
            '<p>Von acht Uhr abends bis acht Uhr morgens schweigen die Motoren. Die Eulen nicht.</p>',
          ),
        },
      },
      fr: {
        slug: 'heures-de-calme',
        fields: {
          title: 'Heures de calme',
          body: html('<p>De vingt heures à huit heures, les moteurs se taisent. Pas les chouettes.</p>'),
        },
      },
    },
  },
  {
    name: 'never-late',
    type: 'quote',
    site: 'main',
    shared: { speaker: 'Maud Ferris' },
    locales: {
      en: { slug: 'never-late', fields: { text: 'Water is never late. It is only ever on its way.' } },
      de: {
        slug: 'nie-zu-spaet',
        fields: { text: 'Wasser kommt nie zu spät. Es ist nur noch unterwegs.' },
      },
      fr: {
        slug: 'jamais-en-retard',
        fields: { text: 'L’eau n’est jamais en retard. Elle est seulement en chemin.' },
      },
    },
  },
];
