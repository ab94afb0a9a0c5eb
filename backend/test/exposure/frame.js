// One frame shows one text, and does to everything in it whatever a reader can do. Whatever is then run, set or loaded
// by it is reported.
const known = new Set(Reflect.ownKeys(window));
document.addEventListener('securitypolicyviolation', (event) => {
  if (event.isTrusted) window.report(`${event.effectiveDirective} ${event.blockedURI}`);
});

const { way, html } = JSON.parse(document.getElementById('given').textContent);
if (way === 'innerHTML') document.getElementById('said').innerHTML = html;

window.addEventListener('load', () => {
  for (const element of document.querySelectorAll('*')) handle(element);
  for (const name of Reflect.ownKeys(window)) if (!known.has(name)) window.report(`global ${String(name)}`);
});

function handle(element) {
  // A link to the web leads there when it is clicked: that is what it is for. Any other is followed.
  if (/^(https?|mailto):/.test(element.protocol ?? ''))
    element.addEventListener('click', (event) => event.preventDefault());
  for (const name of eventsOf(element))
    element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
  element.focus?.();
  element.click?.();
  element.blur?.();
}

/** Every event that the browser knows of. */
function eventsOf(element) {
  const names = [];
  for (const name in element) if (name.startsWith('on')) names.push(name.slice(2));
  // Of animations in SVG, which only attributes name.
  return [...names, 'beginEvent', 'endEvent', 'repeatEvent'];
}
