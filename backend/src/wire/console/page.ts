import { type Html, html } from '../../base/html.ts';
import type { Locale, Text } from '../../operation.ts';

const TEXTS = {
  title: { en: 'Console', de: 'Konsole' },
  connecting: { en: 'Connecting …', de: 'Verbindung wird aufgebaut …' },
  connected: { en: 'Connected', de: 'Verbunden' },
  refused: {
    en: 'This link has been used or has expired. Ask for a new one where you got it.',
    de: 'Dieser Link ist benutzt oder abgelaufen. Fordern Sie dort, wo Sie ihn bekamen, einen neuen an.',
  },
  lost: { en: 'The connection was lost.', de: 'Die Verbindung ist abgebrochen.' },
  again: { en: 'Connect again', de: 'Neu verbinden' },
  keys: { en: 'Keys', de: 'Tasten' },
  clipboard: { en: 'Clipboard', de: 'Zwischenablage' },
  text: { en: 'Text to and from the machine', de: 'Text an die Maschine und von ihr' },
  paste: { en: "Put into the machine's clipboard", de: 'In die Zwischenablage der Maschine' },
  type: { en: 'Type it', de: 'Eintippen' },
  keyboard: { en: 'Keyboard', de: 'Tastatur' },
  line: {
    en: 'What is typed here goes to the machine',
    de: 'Was hier getippt wird, geht an die Maschine',
  },
  screen: { en: 'Screen of the machine', de: 'Bildschirm der Maschine' },
  leave: { en: 'Ctrl+Alt+Shift leaves the screen.', de: 'Strg+Alt+Umschalt verlässt den Bildschirm.' },
  script: { en: 'The console needs JavaScript.', de: 'Die Konsole braucht JavaScript.' },
} as const satisfies Record<string, Text>;

/** By the reason that the WebSocket is closed with. */
const ENDINGS = {
  machine_off: { en: 'The machine is off.', de: 'Die Maschine ist aus.' },
  time_over: {
    en: 'The time of this console is over.',
    de: 'Die Zeit dieser Konsole ist abgelaufen.',
  },
  access_ended: {
    en: 'The access that this console was opened with has ended.',
    de: 'Der Zugang, mit dem diese Konsole geöffnet wurde, gilt nicht mehr.',
  },
  suspended: { en: 'The server is suspended.', de: 'Der Server ist gesperrt.' },
  service_ended: { en: 'The server does not exist any more.', de: 'Den Server gibt es nicht mehr.' },
  backend_unavailable: {
    en: 'The host of the server does not answer at the moment.',
    de: 'Der Host des Servers antwortet zurzeit nicht.',
  },
  restart: {
    en: 'The connection was ended for maintenance.',
    de: 'Die Verbindung wurde für Wartung beendet.',
  },
} as const satisfies Record<string, Text>;

/** What the page's script says. */
const SAID = ['title', 'connecting', 'connected', 'refused', 'lost'] as const;

/** The page that shows a console. `addresses` are relative to it. */
export function consolePage(
  locale: Locale,
  addresses: { readonly script: string; readonly style: string },
): string {
  const text = (name: keyof typeof TEXTS): string => TEXTS[name][locale];
  const said = SAID.map((name) => attribute(name, text(name)));
  const endings = Object.entries(ENDINGS).map(([name, texts]) => attribute(name, texts[locale]));
  return html`<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text('title')}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addresses.style}">
<script type="module" src="${addresses.script}"></script>
<body${said}${endings}>
<header>
<h1 id="name">${text('title')}</h1>
<p id="status" role="status">${text('connecting')}</p>
<button id="again" type="button" hidden>${text('again')}</button>
<div class="tools" role="toolbar" aria-label="${text('keys')}">
<button id="ctrl-alt-del" type="button" disabled>Ctrl-Alt-Del</button>
<button id="keyboard" type="button" aria-expanded="false" aria-controls="keyboard-panel" disabled>${text('keyboard')}</button>
<button id="clipboard" type="button" aria-expanded="false" aria-controls="clipboard-panel" disabled>${text('clipboard')}</button>
</div>
<p id="leave">${text('leave')}</p>
</header>
<div id="keyboard-panel" class="panel" hidden>
<label>${text('line')}<input id="line" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false"></label>
</div>
<div id="clipboard-panel" class="panel" hidden>
<label>${text('text')}<textarea id="text" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false"></textarea></label>
<div class="tools"><button id="type" type="button">${text('type')}</button><button id="paste" type="button">${text('paste')}</button></div>
</div>
<main id="screen" aria-label="${text('screen')}" aria-describedby="leave"><noscript><p>${text('script')}</p></noscript></main>
</html>
`.toString();
}

function attribute(name: string, text: string): Html {
  return html` data-${name.replaceAll('_', '-')}="${text}"`;
}
