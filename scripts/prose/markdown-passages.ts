import { fromMarkdown } from 'mdast-util-from-markdown'
import { CODE, type Passage, type Piece, passage, piecesOf } from './passage.ts'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root | Root['children'][number]

const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\n.*?\n---\n/s, (matter) => matter.replaceAll(/[^\n]/g, ''))

/** Returns the paragraphs and headings of a document, without code, addresses and the front matter. */
export function markdownPassages(text: string): readonly Passage[] {
  const passages: Passage[] = []
  const visit = (node: Node, pieces: Piece[]): void => {
    const line = node.position?.start.line ?? 1
    if (node.type === 'text') pieces.push(...piecesOf(node.value, line))
    else if (node.type === 'inlineCode') pieces.push({ text: CODE, line })
    else if (node.type === 'image') pieces.push({ text: node.alt ?? '', line })
    else if (node.type === 'paragraph' || node.type === 'heading') {
      const own: Piece[] = []
      for (const child of node.children) visit(child, own)
      passages.push(passage('text', own))
    } else if ('children' in node) for (const child of node.children) visit(child, pieces)
  }
  visit(fromMarkdown(withoutFrontMatter(text)), [])
  return passages
}
