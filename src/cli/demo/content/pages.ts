import { html, linkTo, type DemoEntry } from './demo-entry.js';

/** The pages of both sites. */
export const pages: readonly DemoEntry[] = [
  {
    name: 'home',
    type: 'page',
    site: 'main',
    shared: {
      sections: [linkTo('quiet-hours'), linkTo('cill')],
      featured: [linkTo('upper-lock'), linkTo('winter'), linkTo('visiting')],
      position: { lat: 52.6412, lng: -2.1187 },
    },
    locales: {
      en: {
        slug: 'welcome',
        fields: {
          title: 'The Alder Journal',
          lead: 'Thirty-one miles of river and canal, eleven locks, and somebody writing it all down.',
          body: html(
            '<p>The Alder Water rises under a hawthorn hedge and has no plans to become famous. We look after it: the gates, the towpath, the reeds and the stories.</p><p>Begin at the <a href="/the-upper-lock">Upper Lock</a>, as the water does.</p>',
          ),
        },
      },
      de: {
        slug: 'willkommen',
        fields: {
          title: 'Das Erlenjournal',
          lead: 'Fünfzig Kilometer Fluss und Kanal, elf Schleusen und jemand, der alles aufschreibt.',
          body: html(
            '<p>Die Alder entspringt unter einer Weißdornhecke und hat nicht vor, berühmt zu werden. Wir kümmern uns um sie: um Tore und Treidelpfad, um Schilf und Geschichten.</p><p>Beginnen Sie an der <a href="/die-obere-schleuse">Oberen Schleuse</a>, so wie das Wasser.</p>',
          ),
        },
      },
      fr: {
        slug: 'bienvenue',
        fields: {
          title: 'Le Journal de l’Alder',
          lead: 'Cinquante kilomètres de rivière et de canal, onze écluses, et quelqu’un pour tout noter.',
          body: html(
            '<p>L’Alder naît sous une haie d’aubépine et n’a pas l’intention de devenir célèbre. Nous en prenons soin&nbsp;: des portes et du chemin de halage, des roseaux et des histoires.</p><p>Commencez par l’<a href="/ecluse-d-amont">écluse d’amont</a>, comme l’eau.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'visiting',
    type: 'page',
    site: 'main',
    shared: {
      sections: [linkTo('quiet-hours')],
      opensAt: '2026-04-03T09:00:00+01:00',
      links: ['https://www.openstreetmap.org/', 'https://en.wikipedia.org/wiki/Canal_lock'],
    },
    locales: {
      en: {
        slug: 'visiting',
        fields: {
          title: 'Visiting the river',
          lead: 'Come by boat, by bicycle or by mistake.',
          body: html(
            '<h2>When</h2><p>The lock cottage opens at Easter and closes with the first frost.</p><h2>What to bring</h2><ul><li>Boots you do not love</li><li>A windlass, if you come by boat</li><li>Time</li></ul>',
          ),
        },
      },
      de: {
        slug: 'besuch',
        fields: {
          title: 'Besuch am Fluss',
          lead: 'Kommen Sie mit dem Boot, mit dem Rad oder aus Versehen.',
          body: html(
            '<h2>Wann</h2><p>Das Schleusenhaus öffnet zu Ostern und schließt mit dem ersten Frost.</p><h2>Was Sie mitbringen sollten</h2><ul><li>Stiefel, an denen Ihr Herz nicht hängt</li><li>eine Schleusenkurbel, falls Sie mit dem Boot kommen</li><li>Zeit</li></ul>',
          ),
        },
      },
      fr: {
        slug: 'visite',
        status: 'draft',
        fields: {
          title: 'Visiter la rivière',
          lead: 'Venez en bateau, à vélo ou par erreur.',
          body: html(
            '<h2>Quand</h2><p>La maison éclusière ouvre à Pâques et ferme aux premières gelées.</p><h2>Que faut-il apporter&nbsp;?</h2><ul><li>des bottes auxquelles vous ne tenez pas</li><li>une manivelle, si vous venez en bateau</li><li>du temps</li></ul>',
          ),
        },
      },
    },
  },
  {
    name: 'workshop',
    type: 'page',
    site: 'boatyard',
    shared: { featured: [linkTo('plank')], links: ['https://boatyard.example/'] },
    locales: {
      de: {
        slug: 'werkstatt',
        fields: {
          title: 'Werft an der Kesselschleuse',
          lead: 'Holz, Dampf und Geduld seit 1874.',
          body: html(
            '<p>Wir bauen zwei Boote im Jahr und retten zwanzig. Die Leihboote haben Namen, keine Nummern.</p><dl><dt>Leihboot, halber Tag</dt><dd><p>Ein Ruderboot für vier, mit Schwimmwesten.</p></dd><dt>Reparatur</dt><dd><p>Nach Besichtigung. Der Tee ist umsonst.</p></dd></dl>',
          ),
        },
      },
      en: {
        slug: 'workshop',
        fields: {
          title: 'The yard at Kettle Lock',
          lead: 'Wood, steam and patience since 1874.',
          body: html(
            '<p>We build two boats a year and rescue twenty. Our hire boats have names, not numbers.</p><dl><dt>Hire boat, half a day</dt><dd><p>A rowing boat for four, with life jackets.</p></dd><dt>Repairs</dt><dd><p>After a look at her. Tea is free.</p></dd></dl>',
          ),
        },
      },
    },
  },
];
