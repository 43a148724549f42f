import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { nextTurn } from '../next-turn.ts'
import { cssObjection, styleSheetObjection } from './css-objection.ts'
import { svgElements } from './svg-elements.ts'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'

/** Namespaces of browsers. Elements of all others, as drawing programs write them, do nothing there. */
const runningNamespaces = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']

/** The most levels of elements. */
const MAX_DEPTH = 100

/** The most attributes of an element. They are checked in one turn. */
const MAX_ATTRIBUTES = 200

/** The characters that are read in one turn of the event loop. */
const CHUNK = 2 ** 15

/** The most characters of a name that a message repeats. */
const LONGEST_NAME = 100

/** Elements that hold only text. A browser that reads the SVG as HTML reads other markup in `title` and `desc`. */
const textElements = ['title', 'desc', 'style']

const imageElements = ['image', 'feImage']

const IMAGE_DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i

/**
 * Returns a sentence that says why a text is not an SVG document that a browser can show without running or loading
 * something, or `undefined` for one that is. It has to be well-formed XML, with only what draws, and must not mean something else
 * to a browser that reads it as HTML. The time is linear in the length. A
 * long one is read in several turns of the event loop.
 */
export async function svgObjection(svg: string): Promise<string | undefined> {
  // The parser would take a lone surrogate and the character after it as one.
  if (/\p{Cs}/u.test(svg)) return 'The SVG has a half of a character.'
  try {
    await read(svg)
    return undefined
  } catch (error) {
    if (error instanceof Objection) return error.message
    // The parser throws plain errors where the text is not well-formed.
    if (error instanceof Error) return `The SVG is not well-formed XML: ${error.message.slice(0, 2 * LONGEST_NAME)}`
    throw error
  }
}

class Objection extends Error {}

function refuse(problem: string): never {
  throw new Objection(problem)
}

async function read(svg: string): Promise<void> {
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { xlink: XLINK } })
  const open: SaxesTagNS[] = []
  let style = ''
  let attributes = 0

  const addText = (text: string) => {
    if (open.at(-1)?.local === 'style') style += text
  }

  parser.on('xmldecl', ({ version = '1.0', encoding = 'UTF-8' }) => {
    if (version !== '1.0') refuse(`The XML version '${version.slice(0, LONGEST_NAME)}' is not allowed. Use '1.0'.`)
    if (!/^utf-?8$/i.test(encoding))
      refuse(`The encoding '${encoding.slice(0, LONGEST_NAME)}' is not allowed. Use 'UTF-8'.`)
  })
  parser.on('doctype', () => refuse('A document type declaration is not allowed in an SVG.'))
  parser.on('processinginstruction', ({ target }) =>
    refuse(`The processing instruction '${target.slice(0, LONGEST_NAME)}' is not allowed in an SVG.`),
  )
  // HTML ends comments and sections elsewhere, so that markup in them would count.
  parser.on('comment', (text) => {
    if (text.includes('<')) refuse("A comment with '<' is not allowed in an SVG.")
  })
  parser.on('cdata', (text) => {
    if (text.includes('<')) refuse("A CDATA section with '<' is not allowed in an SVG.")
    addText(text)
  })
  parser.on('text', addText)
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES) refuse(`An element of the SVG has more than ${MAX_ATTRIBUTES} attributes.`)
  })
  parser.on('opentag', (tag) => {
    const parent = open.at(-1)
    if (parent === undefined) checkRoot(tag)
    else if (textElements.includes(parent.local)) refuse(`The element '${parent.local}' can have only text in it.`)
    if (open.length >= MAX_DEPTH) refuse(`The SVG has elements in more than ${MAX_DEPTH} levels.`)
    checkElement(tag)
    for (const attribute of Object.values(tag.attributes)) checkAttribute(tag, attribute)
    open.push(tag)
    style = ''
    attributes = 0
  })
  parser.on('closetag', ({ local }) => {
    open.pop()
    const problem = local === 'style' ? styleSheetObjection(style) : undefined
    if (problem !== undefined) refuse(`The element 'style' ${problem}.`)
  })
  for (let start = 0; start < svg.length; start += CHUNK) {
    if (start > 0) await nextTurn()
    parser.write(svg.slice(start, start + CHUNK))
  }
  parser.close()
}

function checkRoot({ name }: SaxesTagNS): void {
  if (name !== 'svg') refuse(`The root element is '${name.slice(0, LONGEST_NAME)}'. It must be 'svg'.`)
}

function checkElement({ name, prefix, local, uri }: SaxesTagNS): void {
  const isSvg = uri === SVG || (uri === '' && prefix === '')
  const isInert = prefix !== '' && !runningNamespaces.includes(uri)
  if (isSvg ? !svgElements.has(local) : !isInert)
    refuse(`The element '${name.slice(0, LONGEST_NAME)}' is not allowed in an SVG.`)
}

function checkAttribute(tag: SaxesTagNS, { name, prefix, local, value }: SaxesAttributeNS): void {
  if (prefix === 'xmlns' || name === 'xmlns') return
  const shown = name.slice(0, LONGEST_NAME)
  const lower = local.toLowerCase()
  if (lower.startsWith('on') || name.toLowerCase() === 'xml:base')
    refuse(`The attribute '${shown}' is not allowed in an SVG.`)
  if (lower === 'href' || lower === 'src') {
    if (!value.startsWith('#') && !(imageElements.includes(tag.local) && IMAGE_DATA.test(value)))
      refuse(
        `The attribute '${shown}' of '${tag.local.slice(0, LONGEST_NAME)}' refers to something outside. It must begin with '#', or in an image be a data URI of a PNG, JPEG, GIF or WebP image.`,
      )
    return
  }
  // Attributes with other prefixes are those of drawing programs.
  const problem = prefix === '' ? cssObjection(value) : undefined
  if (problem !== undefined) refuse(`The attribute '${shown}' ${problem}.`)
}
