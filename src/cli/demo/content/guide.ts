import { html, linkTo, type DemoItem } from './demo-entry.js';

/** What visitors look up: pages below pages, a folder, a link, and a page outside the menu. */
export const guide: readonly DemoItem[] = [
  {
    name: 'getting-here',
    type: 'page',
    site: 'main',
    below: 'visiting',
    shared: { position: { lat: 52.6409, lng: -2.1203 } },
    // No French version: a French reader is served the English one.
    locales: {
      en: {
        slug: 'getting-here',
        fields: {
          title: 'Getting here',
          lead: 'The last mile is on foot. It is also the best one.',
          body: html(
            '<p>The bus stops at the chapel. Follow the towpath upstream until the path asks you to climb a stile; the lock cottage is behind it. By boat, mind <a href="/locks">the locks</a>.</p>',
          ),
        },
      },
      de: {
        slug: 'anreise',
        fields: {
          title: 'Anreise',
          lead: 'Die letzte Meile geht man zu Fuß. Sie ist auch die schönste.',
          body: html(
            '<p>Der Bus hält an der Kapelle. Folgen Sie dem Treidelpfad flussaufwärts, bis ein Zauntritt kommt; dahinter steht das Schleusenhaus.</p>',
          ),
        },
      },
    },
  },
  { name: 'trust', site: 'main', node: { name: 'Alder Water Trust', slug: 'trust' } },
  {
    name: 'about',
    type: 'page',
    site: 'main',
    below: 'trust',
    shared: { sections: [linkTo('never-late')] },
    locales: {
      en: {
        slug: 'about',
        fields: {
          title: 'Who we are',
          lead: 'Forty-one volunteers, two keepers and a dog with opinions.',
          body: html(
            '<p>The Trust has looked after the Alder since the railway lost interest in it. Come and see us: <a href="/visiting/getting-here">this is the way</a>.</p>',
          ),
        },
      },
      de: {
        slug: 'ueber-uns',
        fields: {
          title: 'Wer wir sind',
          lead: 'Einundvierzig Freiwillige, zwei Schleusenwärter und ein Hund mit Ansichten.',
          body: html(
            '<p>Der Verein kümmert sich um die Alder, seit die Eisenbahn das Interesse an ihr verlor. Besuchen Sie uns: <a href="/de/besuch/anreise">hier geht es entlang</a>.</p>',
          ),
        },
      },
      fr: {
        slug: 'qui-sommes-nous',
        fields: {
          title: 'Qui sommes-nous',
          lead: 'Quarante et un bénévoles, deux éclusiers et un chien qui a des avis.',
          body: html(
            '<p>L’association veille sur l’Alder depuis que le chemin de fer s’en est lassé. Nos <a href="/fr/recits">récits</a> en disent davantage.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'imprint',
    type: 'page',
    site: 'main',
    below: 'trust',
    isHidden: true,
    locales: {
      en: {
        slug: 'imprint',
        fields: {
          title: 'Imprint',
          body: html(
            '<p>Alder Water Trust, The Lock Cottage, Upper Lock. Letters are answered in winter.</p>',
          ),
        },
      },
      de: {
        slug: 'impressum',
        fields: {
          title: 'Impressum',
          body: html(
            '<p>Alder Water Trust, Schleusenhaus, Obere Schleuse. Briefe beantworten wir im Winter.</p>',
          ),
        },
      },
    },
  },
  { name: 'map', site: 'main', node: { name: 'Map', url: 'https://www.openstreetmap.org/' } },
];
