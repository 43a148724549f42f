/** A continuous text: a comment, a message, a paragraph or the title of a test, with one space between words. */
export interface Passage {
  readonly kind: 'text' | 'title'
  readonly text: string
  /** The line of each word in its file, from 1. */
  readonly lines: readonly number[]
}

/** A part of a text on one line of its file. */
export interface Piece {
  readonly text: string
  /** The number of the line, from 1. */
  readonly line: number
}

/** Replaces code, addresses and other text that is not prose. */
export const CODE = '``'

/** Returns the pieces of a text that begins on a line. */
export const piecesOf = (text: string, line: number): readonly Piece[] =>
  text.split('\n').map((piece, index) => ({ text: piece, line: line + index }))

/** Joins pieces to a passage. Pieces on one line are joined without a space. */
export function passage(kind: Passage['kind'], pieces: readonly Piece[]): Passage {
  const words: string[] = []
  const lines: number[] = []
  let joins = false
  for (const { text, line } of pieces) {
    const [first = '', ...others] = text.split(/\s+/)
    const last = words.length - 1
    if (first !== '' && joins && lines[last] === line) words[last] += first
    else others.unshift(first)
    for (const word of others) {
      if (word === '') continue
      words.push(word)
      lines.push(line)
    }
    joins = words.length > 0 && /\S$/.test(text)
  }
  return { kind, text: words.join(' '), lines }
}

/** Returns the line of the file for a position in the text. */
export const lineAt = ({ text, lines }: Passage, offset: number): number =>
  lines[text.slice(0, offset).split(' ').length - 1] ?? 1
