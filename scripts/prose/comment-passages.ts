import type { TextRange } from 'typescript'
import { CODE, type Passage, passage, piecesOf } from './passage.ts'

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

/** Returns a comment without its marks. Code is replaced, and lines keep their numbers. */
const plain = (comment: string): string =>
  comment
    .replace(/^\/[*/]+|\*+\/$/g, '')
    .replaceAll(/^[ \t]*(?:\*|\/\/)+/gm, ' ')
    .replaceAll(/```.*?```|@example\b.*?(?=\n\s*@|\s*$)/gs, blank)
    .replaceAll(/`[^`\n]*`|\{@link[^}]*\}|https?:\/\/\S+/g, (code) => CODE + '\n'.repeat(code.split('\n').length - 1))
    .replaceAll(/(?<!\S)@[a-zA-Z-]+/g, '')

/** Finds the comments of a source. Successive lines of `//` are one comment, like a block. */
function commentsOf(text: string, literals: readonly TextRange[]): readonly TextRange[] {
  const found: { pos: number; end: number }[] = []
  const inOrder = literals.toSorted((one, other) => one.pos - other.pos)
  const start = /\/[*/]/g
  let next = 0
  for (let match = start.exec(text); match; match = start.exec(text)) {
    while ((inOrder[next]?.end ?? text.length) <= match.index) next++
    const literal = inOrder[next]
    if (literal && literal.pos <= match.index) {
      start.lastIndex = literal.end
      continue
    }
    const isLine = match[0] === '//'
    const close = text.indexOf(isLine ? '\n' : '*/', match.index + 2)
    const end = close < 0 ? text.length : close + (isLine ? 0 : 2)
    const before = found.at(-1)
    if (isLine && before && text.startsWith('//', before.pos) && text.slice(before.end, match.index).trim() === '') {
      before.end = end
    } else found.push({ pos: match.index, end })
    start.lastIndex = end
  }
  return found
}

/** @param literals ranges in which no comment begins: strings, templates, patterns */
export const commentPassages = (
  text: string,
  literals: readonly TextRange[],
  lineOf: (position: number) => number,
): readonly Passage[] =>
  commentsOf(text, literals).map(({ pos, end }) => passage('text', piecesOf(plain(text.slice(pos, end)), lineOf(pos))))
