// Needs: vectors

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** Longer ones are about speed. */
const LONGEST = 1_500;

/** Ways to run a script that browsers of today still have, and texts that change their meaning when they are read twice. */
export const OF_TODAY: readonly string[] = `
<img src=x onerror=alert(1)>
<img src=x onerror="alert(1)"//>
<image src=x onerror=alert(1)>
<svg onload=alert(1)>
<svg><g onload=alert(1)></g></svg>
<svg><script>alert(1)</script></svg>
<svg><script href="data:,alert(1)"></script></svg>
<svg><a href="javascript:alert(1)"><text x=20 y=20>x</text></a></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>
<svg><set onbegin=alert(1) attributeName=x></svg>
<svg><style><img src=x onerror=alert(1)></style></svg>
<svg><title><img src=x onerror=alert(1)></title></svg>
<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>
<math><mtext><img src=x onerror=alert(1)></mtext></math>
<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">
<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>
<noscript><p title="</noscript><img src=x onerror=alert(1)>">
<title><p title="</title><img src=x onerror=alert(1)>">
<textarea><p title="</textarea><img src=x onerror=alert(1)>">
<xmp><p title="</xmp><img src=x onerror=alert(1)>">
<noembed><p title="</noembed><img src=x onerror=alert(1)>">
<select><style><img src=x onerror=alert(1)></style></select>
<table><td><svg><img src=x onerror=alert(1)></td></table>
<!--><img src=x onerror=alert(1)>-->
<!--!><img src=x onerror=alert(1)>
<![CDATA[<img src=x onerror=alert(1)>]]>
<?x><img src=x onerror=alert(1)>
<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>
<iframe src="javascript:parent.alert(1)"></iframe>
<embed src="javascript:alert(1)">
<object data="javascript:alert(1)"></object>
<video><source onerror=alert(1)></video>
<video src=x onerror=alert(1)></video>
<audio src=x onerror=alert(1)></audio>
<details open ontoggle=alert(1)><summary>x</summary></details>
<input autofocus onfocus=alert(1)>
<select autofocus onfocus=alert(1)></select>
<textarea autofocus onfocus=alert(1)></textarea>
<div tabindex=0 autofocus onfocus=alert(1)>x</div>
<a href="javascript:alert(1)">x</a>
<a href="java&#10;script:alert(1)">x</a>
<a href="&#1;javascript:alert(1)">x</a>
<a href="JaVaScRiPt&colon;alert(1)">x</a>
<form action="javascript:alert(1)"><button>x</button></form>
<form><button formaction="javascript:alert(1)">x</button></form>
<style>@keyframes a{}</style><b style="animation-name:a" onanimationstart=alert(1)>x</b>
<b onclick=alert(1)>x</b>
<b onmouseover=alert(1)>x</b>
<b onpointerover=alert(1)>x</b>
<link rel=stylesheet href=x onerror=alert(1)>
<link rel=preload as=script href=x onerror=alert(1)>
<meta http-equiv=refresh content="0;url=javascript:alert(1)">
<base href="javascript:alert(1)//"><a href="x">x</a>
<script>alert(1)</script>
<script src="data:,alert(1)"></script>
<template shadowrootmode=open><img src=x onerror=alert(1)></template>
<body onload=alert(1)>
<frameset onload=alert(1)>
<marquee onstart=alert(1)>x</marquee>
"><img src=x onerror=alert(1)>
'><img src=x onerror=alert(1)>
</p><img src=x onerror=alert(1)>
</textarea></script></style></title><img src=x onerror=alert(1)>
`
  .trim()
  .split('\n');

/**
 * Ours, and the texts that bluemonday, a sanitizer of HTML, is tested with: OWASP's collection of ways to run a script is among
 * them. They are in Debian's package golang-github-microcosm-cc-bluemonday-dev.
 */
export function xssCorpus(): readonly string[] {
  const files = globSync('/usr/share/gocode/src/github.com/microcosm-cc/bluemonday/*_test.go');
  assert.ok(files.length > 0, 'run scripts/install.sh tests');
  const texts = files.flatMap((file) => inputsOf(readFileSync(file, 'utf8')));
  return [...new Set([...OF_TODAY, ...texts])].filter((text) => text.trim() !== '' && text.length <= LONGEST);
}

/** What is assigned to `in` and to `input`, in Go's raw texts. */
function inputsOf(source: string): string[] {
  return [...source.matchAll(/\bin(?:put)?\s*(?::=|:|=)\s*`([^`]*)`/g)].map(([, text = '']) => text);
}
