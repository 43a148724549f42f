import { describe, expect, it } from 'vitest'
import { svgObjection } from './svg-objection.ts'

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const XHTML = 'http://www.w3.org/1999/xhtml'

const accepted: Readonly<Record<string, string>> = {
  'a note of GNS3':
    '<svg height="24" width="200"><text fill="#000000" fill-opacity="1.0" font-family="TypeWriter" font-size="10.0" font-weight="bold">Lab &lt;1&gt; &amp; more\nline 2</text></svg>',
  'a rectangle of GNS3':
    '<svg height="100" width="200"><rect fill="#ffffff" fill-opacity="1.0" height="100" stroke="#000000" stroke-dasharray="10, 2" stroke-width="2" width="200" /></svg>',
  'an ellipse': '<svg height="9" width="9"><ellipse cx="4" cy="4" rx="4" ry="4"/></svg>',
  'a line': '<svg height="9" width="9"><line x1="0" x2="9" y1="0" y2="9"/></svg>',
  'an image of GNS3, whose prefix is not declared': `<svg height="9" width="9"><image height="9" width="9" xlink:href="${PNG}"/></svg>`,
  'an image of SVG 2': `<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/jpeg;base64,/9j/4AAQ&#10;AAAA"/></svg>`,
  'a WebP image': `<svg><image href="data:image/webp;base64,UklGRg=="/></svg>`,
  'a GIF image': `<svg><image href="data:image/gif;base64,R0lGODlh"/></svg>`,
  'an XML declaration and comments':
    '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- Created with a program -->\n<svg/>\n',
  'a byte order mark': '\uFEFF<svg/>',
  'elements and attributes of a drawing program':
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:ink="http://www.inkscape.org/namespaces/inkscape" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><ink:namedview ink:file="C:\\a(1)"/><metadata><rdf:RDF rdf:about="http://example.org/"/></metadata><g ink:label="a"/></svg>',
  'a prefix for SVG inside':
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg"><s:rect/></svg>',
  'references inside':
    '<svg><defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)" style="filter: url( \'#b\' ); clip-path:url(&quot;#c&quot;)"/><use href="#a"/></svg>',
  'a style sheet':
    '<svg><style type="text/css"><![CDATA[.a > .b { fill: rgb(1, 2, 3); mask: url(#m) }]]></style></svg>',
  'a transform': '<svg><g transform="translate(10, 20) rotate(30)"/></svg>',
  'characters outside of the first plane': '<svg><text>\u{1f600}</text></svg>',
  '100 levels': `<svg>${'<g>'.repeat(99)}${'</g>'.repeat(99)}</svg>`,
  '200 attributes': `<svg ${Array.from({ length: 200 }, (_, index) => `a${index}=""`).join(' ')}/>`,
}

/** SVG that could run or load something, or is not well-formed, with a part of the sentence. */
const refused: Readonly<Record<string, readonly [svg: string, problem: string]>> = {
  'a text': ['a note', 'well-formed'],
  'an empty document': [' ', 'well-formed'],
  'an unclosed element': ['<svg><g></svg>', 'well-formed'],
  'two roots': ['<svg/><svg/>', 'well-formed'],
  'an attribute twice': ['<svg><rect x="1" x="2"/></svg>', 'well-formed'],
  'an attribute without quotes': ['<svg width=1/>', 'well-formed'],
  'a null character': ['<svg>\0</svg>', 'well-formed'],
  'an undeclared prefix': ['<svg><a:b/></svg>', 'well-formed'],
  'an undeclared entity': ['<svg>&colon;</svg>', 'well-formed'],
  'another root': ['<html><svg/></html>', "root element is 'html'"],
  'a root with a prefix': ['<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', "root element is 's:svg'"],
  'a root of another namespace': [`<svg xmlns="${XHTML}"/>`, "'svg' is not allowed"],
  'a script': ['<svg><script>alert(1)</script></svg>', "element 'script'"],
  'a script with a source': ['<svg><script href="#a"/></svg>', "element 'script'"],
  'a script in capitals': ['<svg><SCRIPT>alert(1)</SCRIPT></svg>', "element 'SCRIPT'"],
  'a script with a prefix': ['<svg xmlns:x="http://www.w3.org/2000/svg"><x:script/></svg>', "element 'x:script'"],
  'a script of XHTML': [`<svg xmlns:h="${XHTML}"><h:script/></svg>`, "element 'h:script'"],
  'a script of a default namespace': [`<svg><g><script xmlns="${XHTML}"/></g></svg>`, "element 'script'"],
  'a group of XHTML': [`<svg><g xmlns="${XHTML}"/></svg>`, "element 'g'"],
  MathML: ['<svg xmlns:m="http://www.w3.org/1998/Math/MathML"><m:maction/></svg>', "element 'm:maction'"],
  'a script after half of a character': ['<svg>\ud800<script>alert(1)</script></svg>', 'half of a character'],
  'foreign markup': ['<svg><foreignObject/></svg>', "element 'foreignObject'"],
  'foreign markup in small letters': ['<svg><foreignobject/></svg>', "element 'foreignobject'"],
  'a frame': ['<svg><iframe src="#a"/></svg>', "element 'iframe'"],
  'an image of HTML': ['<svg><img src="#a"/></svg>', "element 'img'"],
  'a link': ['<svg><a href="javascript:alert(1)"/></svg>', "element 'a'"],
  'a link inside': ['<svg><a href="#a"/></svg>', "element 'a'"],
  'an animated reference': [
    '<svg><use href="#a"><animate attributeName="href" to="data:x"/></use></svg>',
    "element 'animate'",
  ],
  'a set reference': ['<svg><set attributeName="onclick" to="alert(1)"/></svg>', "element 'set'"],
  'an animated transform': ['<svg><animateTransform/></svg>', "element 'animateTransform'"],
  'an event attribute': ['<svg onload="alert(1)"/>', "attribute 'onload'"],
  'an event attribute in capitals': ['<svg><g ONCLICK="alert(1)"/></svg>', "attribute 'ONCLICK'"],
  'an event attribute with a prefix': [
    '<svg xmlns:x="http://www.w3.org/2000/svg" x:onload="a"/>',
    "attribute 'x:onload'",
  ],
  'another base': ['<svg xml:base="http://example.org/"><use href="#a"/></svg>', "attribute 'xml:base'"],
  'an outer image': ['<svg><image href="http://example.org/a.png"/></svg>', "'href' of 'image'"],
  'an outer image without a scheme': ['<svg><image href="//example.org/a.png"/></svg>', "'href' of 'image'"],
  'a file': ['<svg><image href="file:///etc/passwd"/></svg>', "'href' of 'image'"],
  'an outer image of XLink': [
    `<svg ${XLINK}><image xlink:href="http://example.org/"/></svg>`,
    "'xlink:href' of 'image'",
  ],
  'an outer image with another prefix': [
    '<svg xmlns:q="http://www.w3.org/1999/xlink"><image q:href="http://example.org/"/></svg>',
    "'q:href' of 'image'",
  ],
  'an outer image after a space': ['<svg><image href=" http://example.org/#a"/></svg>', "'href' of 'image'"],
  'an image that is an SVG': ['<svg><image href="data:image/svg+xml;base64,PHN2Zz4="/></svg>', "'href' of 'image'"],
  'an image that is HTML': ['<svg><image href="data:text/html;base64,PGI+"/></svg>', "'href' of 'image'"],
  'an image with parameters': ['<svg><image href="data:image/png;a=b;base64,AA=="/></svg>', "'href' of 'image'"],
  'an image that is not in Base64': ['<svg><image href="data:image/png,%3Csvg"/></svg>', "'href' of 'image'"],
  'data outside of an image': [`<svg><use href="${PNG}"/></svg>`, "'href' of 'use'"],
  'a script as a reference': ['<svg><use href="&#106;avascript:alert(1)"/></svg>', "'href' of 'use'"],
  'an outer use': ['<svg><use href="http://example.org/a.svg#b"/></svg>', "'href' of 'use'"],
  'an outer filter image': ['<svg><filter><feImage href="http://example.org/"/></filter></svg>', "'href' of 'feImage'"],
  'an outer fill': ['<svg><rect fill="url(http://example.org/#a)"/></svg>', "attribute 'fill'"],
  'an outer fill in quotes': ['<svg><rect fill="url( &quot;//example.org/&quot;)"/></svg>', "attribute 'fill'"],
  'an outer fill in capitals': ['<svg><rect FILL="URL(//example.org/)"/></svg>', "attribute 'FILL'"],
  'an outer fill after one inside': ['<svg><rect style="fill:url(#a);mask:url(//b)"/></svg>', "attribute 'style'"],
  'an escaped function': ['<svg><rect style="fill:u\\72l(//example.org/)"/></svg>', 'a backslash'],
  'a set of images': ['<svg><rect style="mask:image-set(\'//example.org/\' 1x)"/></svg>', 'loads something'],
  'a set of images with a prefix': ['<svg><rect style="mask:-webkit-image-set(\'//b\' 1x)"/></svg>', 'loads something'],
  'an expression': ['<svg><rect style="width:expression(alert(1))"/></svg>', 'loads something'],
  'an imported style sheet': ['<svg><style>@import "//example.org/";</style></svg>', "a rule with '@'"],
  'an import around a comment': ['<svg><style>@im<!-- -->port "//example.org/";</style></svg>', "a rule with '@'"],
  'an import in parts': ['<svg><style><![CDATA[@]]>import "//b";</style></svg>', "a rule with '@'"],
  'an escaped import': ['<svg><style>\\40 import "//example.org/";</style></svg>', 'a backslash'],
  'a font': ['<svg><style>@font-face { src: url(//b) }</style></svg>', "a rule with '@'"],
  'an outer fill of a style sheet': ['<svg><style>a{fill:url(//b)}</style></svg>', "element 'style'"],
  'an outer fill in parts': ['<svg><style>a{fill:ur<!-- -->l(//b)}</style></svg>', "element 'style'"],
  'an element in a style sheet': ['<svg><style>@<g/>import "//b";</style></svg>', "element 'style'"],
  'markup in a title': ['<svg><title><style>a</style></title></svg>', "element 'title'"],
  'markup in a description': ['<svg><desc><g/></desc></svg>', "element 'desc'"],
  'a comment that HTML ends earlier': ['<svg><!--><img src=x onerror=alert(1)>--></svg>', 'comment'],
  'a section that HTML does not know': ['<svg><title><![CDATA[<img src=x onerror=alert(1)>]]></title></svg>', 'CDATA'],
  'a section in a style sheet': ['<svg><style><![CDATA[</style><script>alert(1)</script>]]></style></svg>', 'CDATA'],
  'a style sheet of XML': ['<?xml-stylesheet href="//b"?><svg/>', "instruction 'xml-stylesheet'"],
  'an instruction that HTML ends earlier': ['<svg><?a ><img src=x onerror=alert(1)> ?></svg>', "instruction 'a'"],
  'a document type': ['<!DOCTYPE svg><svg/>', 'document type'],
  'an external entity': [
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg><text>&a;</text></svg>',
    'document type',
  ],
  'entities that multiply': [
    '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg>&b;</svg>',
    'document type',
  ],
  'another version of XML': ['<?xml version="1.1"?><svg/>', "version '1.1'"],
  'another encoding': ['<?xml version="1.0" encoding="UTF-7"?><svg>+ADw-script+AD4-</svg>', "encoding 'UTF-7'"],
  '101 levels': [`<svg>${'<g>'.repeat(100)}${'</g>'.repeat(100)}</svg>`, '100 levels'],
  '201 attributes': [`<svg ${Array.from({ length: 201 }, (_, index) => `a${index}=""`).join(' ')}/>`, '200 attributes'],
}

describe('svgObjection', () => {
  it.each(Object.entries(accepted))('accepts %s', async (_, svg) => {
    expect(await svgObjection(svg)).toBeUndefined()
  })

  it.each(Object.entries(refused))('refuses %s', async (_, [svg, problem]) => {
    expect(await svgObjection(svg)).toContain(problem)
  })

  it('finds what is refused at the end of the longest SVG, also where a turn ends', async () => {
    for (const [length, before] of [
      [2 ** 15, '\u{1f600}'],
      [2 ** 15 + 1, '\u{1f600}'],
      [2 ** 18, 'a'],
    ] as const) {
      const end = '<script/></svg>'
      const svg = `<svg>${before.repeat((length - 5) / before.length)}${end}`
      expect(await svgObjection(svg)).toContain("element 'script'")
    }
  })

  it('repeats only the beginning of a long name', async () => {
    expect(await svgObjection(`<svg><${'a'.repeat(100_000)}/></svg>`)).toBe(
      `The element '${'a'.repeat(100)}' is not allowed in an SVG.`,
    )
  })
})
