import { html, linkTo, type DemoEntry } from './demo-entry.js';

/** The stories, in every state that an entry can be in. */
export const articles: readonly DemoEntry[] = [
  {
    name: 'upper-lock',
    type: 'article',
    site: 'main',
    below: 'stories',
    shared: {
      author: linkTo('maud'),
      topics: [linkTo('locks')],
      callouts: [linkTo('cill')],
      related: [linkTo('winter'), linkTo('heron')],
      writtenOn: '2026-03-02',
      seasons: ['spring'],
      mile: 2.5,
      isFeatured: true,
    },
    locales: {
      en: {
        slug: 'the-upper-lock',
        fields: {
          title: 'The Upper Lock',
          summary: 'A lock is a room with a river in it. This is how to let the river in.',
          body: html(
            '<p>The Upper Lock is the smallest on the Alder and the most particular. It was built for boats that carried lime, and it still expects to be spoken to politely.</p><h2>How to pass it</h2><ol><li>Close both gates behind you.</li><li>Raise the paddle a <em>quarter</em>. Wait until the boat has settled.</li><li>Raise it fully, and count the swallows.</li></ol><p>When the levels are equal the gate opens at a touch. If you have to push, <strong>you are early</strong>.</p><blockquote><p>Water is never late.</p></blockquote>',
          ),
        },
      },
      de: {
        slug: 'die-obere-schleuse',
        fields: {
          title: 'Die Obere Schleuse',
          summary: 'Eine Schleuse ist ein Zimmer mit einem Fluss darin. So lässt man den Fluss herein.',
          body: html(
            '<p>Die Obere Schleuse ist die kleinste an der Alder und die eigenwilligste. Gebaut wurde sie für Kalkkähne, und noch heute erwartet sie, dass man höflich mit ihr spricht.</p><h2>So kommen Sie hindurch</h2><ol><li>Schließen Sie beide Tore hinter sich.</li><li>Ziehen Sie das Schütz ein <em>Viertel</em> hoch. Warten Sie, bis das Boot ruhig liegt.</li><li>Ziehen Sie es ganz hoch und zählen Sie die Schwalben.</li></ol><p>Stehen beide Seiten gleich hoch, öffnet sich das Tor auf einen Fingerdruck. Müssen Sie drücken, <strong>sind Sie zu früh</strong>.</p><blockquote><p>Wasser kommt nie zu spät.</p></blockquote>',
          ),
        },
      },
      fr: {
        slug: 'ecluse-d-amont',
        fields: {
          title: 'L’écluse d’amont',
          summary: 'Une écluse est une pièce où loge une rivière. Voici comment l’y faire entrer.',
          body: html(
            '<p>L’écluse d’amont est la plus petite de l’Alder, et la plus susceptible. On l’a bâtie pour des péniches chargées de chaux, et elle tient toujours à ce qu’on lui parle poliment.</p><h2>Comment la franchir</h2><ol><li>Fermez les deux portes derrière vous.</li><li>Levez la vanne d’un <em>quart</em>. Attendez que le bateau se calme.</li><li>Levez-la entièrement, et comptez les hirondelles.</li></ol><p>Quand les niveaux sont égaux, la porte s’ouvre d’un doigt. S’il faut pousser, <strong>c’est trop tôt</strong>.</p><blockquote><p>L’eau n’est jamais en retard.</p></blockquote>',
          ),
        },
      },
    },
  },
  {
    name: 'heron',
    type: 'article',
    site: 'main',
    below: 'stories',
    shared: {
      author: linkTo('maud'),
      topics: [linkTo('wildlife')],
      related: [linkTo('upper-lock')],
      writtenOn: '2026-02-11',
      seasons: ['winter', 'spring'],
      mile: 4,
    },
    // No French version: a French reader is served the English one.
    locales: {
      en: {
        slug: 'the-heron-at-mile-four',
        fields: {
          title: 'The heron at mile four',
          summary: 'He has stood there since November. We have begun to say good morning.',
          body: html(
            '<p>Every river needs somebody who does nothing, thoroughly. Ours stands at mile four on one leg and watches the weir as if it owed him money.</p><p>Walk past slowly, as you would through <a href="/stories/the-upper-lock">the Upper Lock</a>. He will not fly; he will only look at you until you feel that you have forgotten something.</p>',
          ),
        },
      },
      de: {
        slug: 'der-reiher-bei-meile-vier',
        fields: {
          title: 'Der Reiher bei Meile vier',
          summary: 'Seit November steht er dort. Wir haben angefangen, ihm guten Morgen zu sagen.',
          body: html(
            '<p>Jeder Fluss braucht jemanden, der gründlich nichts tut. Unserer steht bei Meile vier auf einem Bein und betrachtet das Wehr, als schulde es ihm Geld.</p><p>Gehen Sie langsam vorbei, wie durch <a href="/de/geschichten/die-obere-schleuse">die Obere Schleuse</a>. Er fliegt nicht auf; er sieht Sie nur an, bis Sie das Gefühl haben, etwas vergessen zu haben.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'winter',
    type: 'article',
    site: 'main',
    below: 'stories',
    shared: {
      author: linkTo('maud'),
      topics: [linkTo('locks'), linkTo('boats')],
      related: [linkTo('upper-lock'), linkTo('winding')],
      writtenOn: '2026-01-20',
      seasons: ['winter'],
      mile: 2.5,
    },
    locales: {
      en: {
        slug: 'a-winter-without-water',
        status: 'changed',
        live: { summary: 'Every few years we pull the plug.' },
        fields: {
          title: 'A winter without water',
          summary:
            'Every few years we pull the plug and look at what the canal has kept: this time, seventeen windlasses and a tuba.',
          body: html(
            '<p>In January the canal is drained between the Upper Lock and Kettle Lock. For three weeks there is a street of mud where boats should be, and everybody comes to look.</p><p>We found:</p><ul><li>seventeen windlasses, all of them “definitely thrown in by somebody else”</li><li>a bicycle older than the bridge above it</li><li>one tuba</li></ul><p>The gates were mended, the fish came back before the boats, and the tuba is drying in the cottage.</p>',
          ),
        },
      },
      de: {
        slug: 'ein-winter-ohne-wasser',
        fields: {
          title: 'Ein Winter ohne Wasser',
          summary: 'Alle paar Jahre ziehen wir den Stöpsel.',
          body: html(
            '<p>Im Januar wird der Kanal zwischen der Oberen Schleuse und der Kesselschleuse abgelassen. Drei Wochen lang liegt dort eine Straße aus Schlamm, wo Boote sein sollten, und alle kommen, um sie anzusehen.</p><p>Gefunden haben wir:</p><ul><li>siebzehn Schleusenkurbeln, allesamt „ganz bestimmt von jemand anderem hineingeworfen“</li><li>ein Fahrrad, das älter ist als die Brücke darüber</li><li>eine Tuba</li></ul><p>Die Tore sind repariert, die Fische kamen vor den Booten zurück, und die Tuba trocknet im Schleusenhaus.</p>',
          ),
        },
      },
      fr: {
        slug: 'un-hiver-sans-eau',
        fields: {
          title: 'Un hiver sans eau',
          summary: 'Tous les quatre ou cinq ans, nous ôtons la bonde.',
          body: html(
            '<p>En janvier, on vide le canal entre l’écluse d’amont et celle du Chaudron. Trois semaines durant, une rue de vase s’étend là où devraient passer les bateaux, et tout le monde vient la voir.</p><p>Nous y avons trouvé&nbsp;:</p><ul><li>dix-sept manivelles, toutes «&nbsp;jetées par quelqu’un d’autre, c’est certain&nbsp;»</li><li>une bicyclette plus vieille que le pont qui l’enjambe</li><li>un tuba</li></ul><p>Les portes sont réparées, les poissons sont revenus avant les bateaux, et le tuba sèche dans la maison éclusière.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'winding',
    type: 'article',
    site: 'main',
    below: 'stories',
    shared: {
      author: linkTo('jonas'),
      topics: [linkTo('boats')],
      writtenOn: '2026-05-09',
      seasons: ['summer'],
      mile: 11.25,
    },
    locales: {
      en: {
        slug: 'how-a-narrowboat-turns',
        fields: {
          title: 'How a narrowboat turns',
          summary: 'Slowly, and in places made for it.',
          body: html(
            '<p>A boat of seventy feet cannot turn in a canal of thirty. It needs a <em>winding hole</em>: a bite taken out of the bank, wide enough for dignity.</p><p>Put the bow in, push the stern round, thank everyone who gave advice.</p>',
          ),
        },
      },
      de: {
        slug: 'wie-ein-schmalboot-wendet',
        status: 'draft',
        fields: {
          title: 'Wie ein Schmalboot wendet',
          summary: 'Langsam, und nur an Stellen, die dafür gemacht sind.',
          body: html(
            '<p>Ein Boot von zwanzig Metern kann in einem Kanal von zehn nicht wenden. Dafür gibt es Wendestellen: ein Biss ins Ufer, breit genug, um die Würde zu wahren.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'spring-walk',
    type: 'article',
    site: 'main',
    below: 'stories',
    shared: { author: linkTo('maud'), topics: [linkTo('wildlife')], seasons: ['spring'] },
    locales: {
      en: {
        slug: 'notes-for-a-spring-walk',
        status: 'draft',
        fields: {
          title: 'Notes for a spring walk',
          body: html(
            '<p>Marsh marigolds below the weir. Ask Jonas about the otter. Check whether the stile still bites.</p>',
          ),
        },
      },
    },
  },
  {
    name: 'plank',
    type: 'article',
    site: 'boatyard',
    below: 'logbook',
    shared: {
      author: linkTo('jonas'),
      topics: [linkTo('boats')],
      writtenOn: '2026-04-18',
      seasons: ['spring'],
      mile: 12,
    },
    locales: {
      de: {
        slug: 'eine-planke-fuer-die-martha',
        fields: {
          title: 'Eine Planke für die Martha',
          summary: 'Lärche, vier Stunden Dampf und zehn Minuten, in denen niemand etwas sagt.',
          body: html(
            '<p>Die <em>Martha</em> ist neunzig und hat an Steuerbord eine weiche Stelle. Wir schneiden eine Planke aus Lärche, stecken sie für vier Stunden in die Dampfkiste und haben dann zehn Minuten, um sie zu biegen.</p><p>In diesen zehn Minuten redet niemand. Danach reden alle.</p>',
          ),
        },
      },
      en: {
        slug: 'a-plank-for-the-martha',
        fields: {
          title: 'A plank for the Martha',
          summary: 'Larch, four hours of steam, and ten minutes in which nobody says a word.',
          body: html(
            '<p>The <em>Martha</em> is ninety and has a soft spot to starboard. We cut a plank of larch, leave it in the steam box for four hours, and then have ten minutes to bend it.</p><p>In those ten minutes nobody talks. Afterwards everybody does.</p>',
          ),
        },
      },
    },
  },
];
