import { Html } from '../../base/html.ts';

/** The one stylesheet of the reference; it stands in every page, because the pages load nothing else. */
export const STYLE = new Html(`
:root {
  color-scheme: light dark;
  --page: #fff; --soft: #f4f6f9; --line: #d9dfe6; --control: #77838f; --text: #18212c; --muted: #556070;
  --accent: #0a58a8; --get: #0a58a8; --post: #1a6b3c; --warn: #9a4a06;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12171d; --soft: #1b222b; --line: #303a46; --control: #7c8a99; --text: #e4e9ef; --muted: #a0adbb;
    --accent: #82b8fb; --get: #82b8fb; --post: #74cf97; --warn: #f0b072;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: .18em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; }
code { overflow-wrap: anywhere; }
pre code { font: inherit; overflow-wrap: normal; }
:not(pre) > code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
a > code { background: none !important; padding: 0 !important; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0 1.25rem;
  overflow-x: auto; padding: .8rem 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p, dl, ul { margin: 0 0 1rem; max-width: 44rem; }
.skip { background: var(--page); left: 1rem; padding: .5rem 1rem; position: absolute; top: -4rem; }
.skip:focus { top: 1rem; }
.top { align-items: baseline; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .25rem 1.5rem;
  padding: .8rem 1.25rem; }
.top strong a { color: var(--text); font-size: 1.1rem; text-decoration: none; }
.search { display: flex; flex: 1 1 14rem; gap: .5rem; justify-content: flex-end; }
.search input, .search button { background: var(--page); border: 1px solid var(--control); border-radius: .4rem;
  color: var(--text); font: inherit; font-size: .95rem; padding: .3rem .6rem; }
.search input { flex: 1 1 8rem; max-width: 22rem; min-width: 0; }
.search button { background: var(--soft); cursor: pointer; }
.search :focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.results { list-style: none; max-width: none; padding: 0; }
.results li { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; padding: .6rem 0; }
.code { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
.code summary { cursor: pointer; padding: .5rem 1rem; }
.code pre { border: 0; border-radius: 0 0 .5rem .5rem; border-top: 1px solid var(--line); margin: 0; }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0 auto; max-width: 84rem; }
main { padding: 1.75rem 1.25rem 4rem; min-width: 0; }
.side { display: none; }
.side ul { list-style: none; margin: 0 0 1rem; padding: 0; }
.side a { border-radius: .3rem; color: var(--text); display: block; overflow-wrap: anywhere; padding: .2rem .6rem;
  text-decoration: none; }
.side a:hover { background: var(--soft); }
.side a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 600; }
.side h2 { color: var(--muted); font-size: .8rem; font-weight: 600; margin: 1.1rem 0 .25rem; padding: 0 .6rem; }
.crumbs { color: var(--muted); font-size: .9rem; margin: 0 0 .75rem; }
.lead { color: var(--muted); font-size: 1.1rem; }
.route { align-items: baseline; display: flex; flex-wrap: wrap; gap: .6rem; margin-bottom: 1rem; }
.method { border: 1px solid; border-radius: .3rem; display: inline-block; font: 600 .75rem/1.5 ui-monospace, monospace;
  min-width: 3.2rem; padding: 0 .4rem; text-align: center; }
.get { color: var(--get); } .post { color: var(--post); }
.facts { display: grid; gap: .35rem 1.25rem; grid-template-columns: max-content minmax(0, 1fr); }
.facts dt { color: var(--muted); } .facts dd { margin: 0; }
table { border-collapse: collapse; margin: .5rem 0 1.25rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem 1rem .5rem 0; text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: .85rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; }
td :last-child { margin-bottom: 0; }
.fields thead th { width: 30%; } .fields thead th + th { width: 20%; } .fields thead th + th + th:not(:last-child) { width: 12%; }
.fields thead th:last-child { width: auto; }
.fields th code { background: none; padding: 0; }
.path { color: var(--muted); }
.name { font-weight: 600; }
.required { color: var(--warn); font-size: .8rem; font-weight: 600; white-space: nowrap; }
.note { color: var(--muted); display: block; font-size: .9rem; }
.codes td:nth-child(2) { white-space: nowrap; }
section.error { border-top: 1px solid var(--line); padding: .9rem 0 .4rem; }
section.error h2 { font-size: 1rem; margin: 0 0 .25rem; }
section.error h2 code { background: none; font-size: 1.05rem; padding: 0; }
section.error:target { background: var(--soft); border-radius: .5rem; margin: 0 -.75rem; padding: .9rem .75rem .4rem; }
section.error p { margin-bottom: .4rem; }
@media (min-width: 62rem) {
  .frame { grid-template-columns: 17rem minmax(0, 1fr); }
  .side { border-right: 1px solid var(--line); display: block; font-size: .92rem; max-height: 100vh; overflow-y: auto;
    padding: .5rem .75rem 2rem; position: sticky; top: 0; }
  main { padding: 2rem 2.5rem 4rem; }
}
@media (max-width: 40rem) {
  .facts { grid-template-columns: minmax(0, 1fr); } .facts dd { margin-bottom: .4rem; }
  .fields thead { height: 1px; overflow: hidden; position: absolute; width: 1px; clip-path: inset(50%); }
  .fields tr { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .5rem 0; }
  .fields th, .fields td { border: 0; padding: 0; width: auto !important; }
  .fields td:last-child { flex-basis: 100%; }
  .default:not(:empty)::before { content: "default "; }
}
@media print { .side, .top, .skip { display: none; } }
`);
