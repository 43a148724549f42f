import type { FilePart, ForeignPart, ImagePart, TextPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textIn, textOr } from '../json-values.ts'
import { given } from './fields.ts'
import { documentSourceFrom } from './media.ts'
import { cacheMark, foreign, imagePart } from './read-parts.ts'

type DocumentPart = TextPart | FilePart | ImagePart | ForeignPart

/** Reads a document. One with images becomes documents of its texts, with the images between them. */
export function documentParts(block: JsonObject, at: string): readonly DocumentPart[] {
  const origin = objectOr(block.source)
  const source = documentSourceFrom(origin)
  if (source) return [{ ...documentPart(block, source, at), ...cacheMark(block) }]
  if (origin.type !== 'content') return [foreign(block, at)]
  const parts = contentParts(block, at)
  const last = parts.at(-1)
  if (!last || last.type === 'foreign') return parts
  return [...parts.slice(0, -1), { ...last, ...cacheMark(block) }]
}

const documentPart = (block: JsonObject, source: FilePart['source'], at: string): FilePart => ({
  type: 'file',
  source,
  ...given('name', textIn(block.title)),
  ...given('context', textIn(block.context)),
  ...citable(block),
  at,
})

function contentParts(block: JsonObject, at: string): readonly DocumentPart[] {
  const parts: DocumentPart[] = []
  let texts: string[] = []
  const endText = () => {
    if (texts.length > 0) parts.push(documentPart(block, { type: 'text', text: texts.join('\n\n') }, at))
    texts = []
  }
  const blocks = listOr(objectOr(block.source).content).map(objectOr)
  if (blocks.every(({ type }) => type !== 'text')) parts.push(...headOf(block, at))
  for (const [index, inner] of blocks.entries()) {
    const place = `${at}.source.content[${index}]`
    if (inner.type === 'text') texts.push(textOr(inner.text))
    else {
      endText()
      parts.push(inner.type === 'image' ? imagePart(inner, place) : foreign(inner, place))
    }
  }
  endText()
  return parts
}

/** Without texts, the title and the context have no document. */
function headOf(block: JsonObject, at: string): readonly DocumentPart[] {
  if (citable(block).citations) return [documentPart(block, { type: 'text', text: '' }, at)]
  return [block.title, block.context].flatMap((value): readonly TextPart[] => {
    const text = textIn(value)
    return text === undefined ? [] : [{ type: 'text', text, at }]
  })
}

function citable({ citations }: JsonObject): Pick<FilePart, 'citations'> {
  const { enabled } = objectOr(citations)
  return typeof enabled === 'boolean' ? { citations: enabled } : {}
}

/** A search result of the client's own is a document for the other dialects. */
export function searchResultPart(block: JsonObject, at: string): FilePart {
  const text = listOr(block.content).map((item) => textOr(objectOr(item).text))
  return {
    type: 'file',
    source: { type: 'text', text: text.join('\n\n') },
    ...given('name', textIn(block.title)),
    ...given('context', textIn(block.source)),
    ...citable(block),
    ...cacheMark(block),
    at,
  }
}
