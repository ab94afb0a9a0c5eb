// Runs in the browser. The address holds what it needs behind the #: `ticket`, for one connection, and the `server` with
// its `name`.
import KeyTable from '../novnc/core/input/keysym.js';
import keysyms from '../novnc/core/input/keysymdef.js';
import RFB from '../novnc/core/rfb.js';

const texts = document.body.dataset;
const element = (id) => document.getElementById(id);
const [screen, status, again] = ['screen', 'status', 'again'].map(element);
const tools = ['ctrl-alt-del', 'clipboard', 'keyboard'].map(element);

/** Pressed in the line for typing, these are keys of the machine; everything else is text. */
const KEYS = {
  ArrowDown: KeyTable.XK_Down,
  ArrowLeft: KeyTable.XK_Left,
  ArrowRight: KeyTable.XK_Right,
  ArrowUp: KeyTable.XK_Up,
  Backspace: KeyTable.XK_BackSpace,
  Delete: KeyTable.XK_Delete,
  Enter: KeyTable.XK_Return,
  Escape: KeyTable.XK_Escape,
};
const SHIFTED = /^[A-Z~!@#$%^&*()_+{}|:"<>?]$/;

let rfb = null;

/** What was given with the address, which is then taken out of it: it is good once, and the history keeps addresses. */
function given() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get('ticket');
  fragment.delete('ticket');
  history.replaceState(null, '', `${location.pathname}#${fragment}`);
  return { ticket, server: fragment.get('server'), name: fragment.get('name') };
}

/** Another ticket, for whoever is logged in here; null for everybody else. */
async function anotherTicket(server) {
  if (server === null) return null;
  const answer = await fetch(`api/v2/server/vnc?${new URLSearchParams({ uuid: server })}`).catch(() => null);
  return answer?.ok ? (await answer.json()).data.ticket : null;
}

function say(text) {
  status.textContent = text;
}

function show(isConnected) {
  for (const tool of tools) tool.disabled = !isConnected;
  again.hidden = isConnected;
  document.body.dataset.state = isConnected ? 'connected' : 'over';
}

function connect(ticket) {
  again.hidden = true;
  say(texts.connecting);
  const address = new URL('console/socket', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  const socket = new WebSocket(address, ['binary', `ticket.${ticket}`]);
  let wasOpen = false;
  socket.addEventListener('open', () => {
    wasOpen = true;
  });
  socket.addEventListener('close', ({ reason }) => {
    const known = texts[reason.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())];
    say(known ?? (wasOpen ? texts.lost : texts.refused));
    show(false);
    again.focus();
  });
  screen.replaceChildren();
  rfb = new RFB(screen, socket);
  rfb.scaleViewport = true;
  rfb.background = 'transparent';
  rfb.addEventListener('connect', () => {
    say(texts.connected);
    show(true);
    rfb.focus();
  });
  rfb.addEventListener('clipboard', ({ detail }) => {
    element('text').value = detail.text;
  });
}

async function connectAgain(server) {
  const ticket = await anotherTicket(server);
  if (ticket !== null) return connect(ticket);
  say(texts.refused);
  show(false);
}

/** One character as the key that makes it, with Shift where keyboards want it: machines see keys, not characters. */
function type(character) {
  if (character === '\n') return rfb.sendKey(KeyTable.XK_Return, 'Enter');
  const shifted = SHIFTED.test(character);
  if (shifted) rfb.sendKey(KeyTable.XK_Shift_L, 'ShiftLeft', true);
  rfb.sendKey(keysyms.lookup(character.codePointAt(0)));
  if (shifted) rfb.sendKey(KeyTable.XK_Shift_L, 'ShiftLeft', false);
}

function typeAll(text) {
  for (const character of text.replaceAll('\r\n', '\n')) type(character);
}

/** A button that opens what it controls. */
function opens(button, panel, field) {
  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
    button.setAttribute('aria-expanded', String(!panel.hidden));
    if (panel.hidden) rfb.focus();
    else field.focus();
  });
}

// The screen takes every key, so there has to be one that leads out of it.
document.addEventListener(
  'keydown',
  (event) => {
    if (!(event.ctrlKey && event.altKey && event.shiftKey) || !screen.contains(event.target)) return;
    event.stopPropagation();
    for (const key of ['Control', 'Alt', 'Shift']) rfb.sendKey(KeyTable[`XK_${key}_L`], `${key}Left`, false);
    tools[0].focus();
  },
  { capture: true },
);

// Another link that is opened in the same tab: only what follows the # differs, which loads nothing by itself.
addEventListener('hashchange', () => location.reload());
const { ticket, server, name } = given();
if (name !== null) {
  element('name').textContent = name;
  document.title = `${name} – ${texts.title}`;
}
opens(element('clipboard'), element('clipboard-panel'), element('text'));
opens(element('keyboard'), element('keyboard-panel'), element('line'));
element('ctrl-alt-del').addEventListener('click', () => {
  rfb.sendCtrlAltDel();
  rfb.focus();
});
element('paste').addEventListener('click', () => rfb.clipboardPasteFrom(element('text').value));
element('type').addEventListener('click', () => {
  typeAll(element('text').value);
  rfb.focus();
});
// Keyboards of phones say what was typed, not which keys were pressed.
element('line').addEventListener('input', ({ target, isComposing }) => {
  if (isComposing) return;
  typeAll(target.value);
  target.value = '';
});
element('line').addEventListener('compositionend', ({ target }) => {
  typeAll(target.value);
  target.value = '';
});
element('line').addEventListener('keydown', (event) => {
  const keysym = KEYS[event.key];
  if (keysym === undefined || event.isComposing) return;
  event.preventDefault();
  rfb.sendKey(keysym, event.code);
});
again.addEventListener('click', () => connectAgain(server));
if (ticket === null) await connectAgain(server);
else connect(ticket);
