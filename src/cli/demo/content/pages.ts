import { html, linkTo, type DemoItem } from './demo-entry.js';

/** The first pages of both sites; a home page is the first of its site. */
export const pages: readonly DemoItem[] = [
  {
    name: 'home',
    type: 'page',
    site: 'main',
    shared: {
      sections: [linkTo('quiet-hours'), linkTo('never-late'), linkTo('cill')],
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
            '<p>The Alder Water rises under a hawthorn hedge and has no plans to become famous. We look after it: the gates, the towpath, the reeds and the stories.</p><p>Begin at the <a href="/stories/the-upper-lock">Upper Lock</a>, as the water does.</p>',
          ),
        },
      },
      de: {
        slug: 'willkommen',
        fields: {
          title: 'Das Erlenjournal',
          lead: 'Fünfzig Kilometer Fluss und Kanal, elf Schleusen und jemand, der alles aufschreibt.',
          body: html(
            '<p>Die Alder entspringt unter einer Weißdornhecke und hat nicht vor, berühmt zu werden. Wir kümmern uns um sie: um Tore und Treidelpfad, um Schilf und Geschichten.</p><p>Beginnen Sie an der <a href="/de/geschichten/die-obere-schleuse">Oberen Schleuse</a>, so wie das Wasser.</p>',
          ),
        },
      },
      fr: {
        slug: 'bienvenue',
        fields: {
          title: 'Le Journal de l’Alder',
          lead: 'Cinquante kilomètres de rivière et de canal, onze écluses, et quelqu’un pour tout noter.',
          body: html(
            '<p>L’Alder naît sous une haie d’aubépine et n’a pas l’intention de devenir célèbre. Nous en prenons soin&nbsp;: des portes et du chemin de halage, des roseaux et des histoires.</p><p>Commencez par l’<a href="/fr/recits/ecluse-d-amont">écluse d’amont</a>, comme l’eau.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'stories',
    type: 'page',
    site: 'main',
    shared: {
      featured: [linkTo('upper-lock'), linkTo('heron'), linkTo('winter'), linkTo('winding')],
    },
    locales: {
      en: {
        slug: 'stories',
        fields: {
          title: 'Stories',
          lead: 'Everything that we have written down so far, wet pages included.',
          body: html(
            '<p>The river tells most of its stories at night. We keep the ones that somebody was awake for. The older ones were <a href="/journal/the-upper-lock">in the journal</a>.</p>',
          ),
        },
      },
      de: {
        slug: 'geschichten',
        fields: {
          title: 'Geschichten',
          lead: 'Alles, was wir bisher aufgeschrieben haben, auch die nassen Seiten.',
          body: html(
            '<p>Die meisten Geschichten erzählt der Fluss bei Nacht. Wir bewahren die auf, für die jemand wach war.</p>',
          ),
        },
      },
      fr: {
        slug: 'recits',
        fields: {
          title: 'Récits',
          lead: 'Tout ce que nous avons noté jusqu’ici, pages mouillées comprises.',
          body: html(
            '<p>C’est la nuit que la rivière raconte le plus. Nous gardons les récits pour lesquels quelqu’un veillait.</p>',
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
  {
    name: 'logbook',
    type: 'page',
    site: 'boatyard',
    shared: { featured: [linkTo('plank')] },
    locales: {
      de: {
        slug: 'logbuch',
        fields: {
          title: 'Logbuch',
          lead: 'Was auf der Werft geschah und wie lange es dauerte.',
          body: html(
            '<p>Wer ein Boot leiht, schreibt hinein, wie es ihm erging. <a href="/">Zurück zur Werft</a>.</p>',
          ),
        },
      },
      en: {
        slug: 'logbook',
        fields: {
          title: 'Logbook',
          lead: 'What happened at the yard, and how long it took.',
          body: html(
            '<p>Everybody who hires a boat writes down how it went. <a href="/en">Back to the yard</a>.</p>',
          ),
        },
      },
    },
  },
];
