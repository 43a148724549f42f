import {
  type Alias,
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { inspectNodes, TooManyAliases } from './inspect-nodes.ts'
import { MAX_MISTAKES, type Mistake, type Path, type Position } from './mistakes.ts'

/** A file that was read as YAML. JSON is YAML. */
export interface ParsedDocument {
  /** What the text says, not checked. */
  readonly value: unknown
  /** Returns where a value, or its key, is. A value that is absent is where its parent is. */
  positionOf(mistake: Pick<Mistake, 'path' | 'at'>): Position
}

/** A mistake of the syntax. */
export interface SyntaxMistake {
  readonly position: Position
  readonly message: string
}

/** The most lines, commas and opening brackets, at which values begin. More would hold the process too long. */
const MAX_BEGINNINGS = 50_000

/** The most texts, signs and comments. Valid files have fewer than five for each line, comma and opening bracket. */
const MAX_TOKENS = 250_000

/** @param language what messages call the text */
export function parseText(text: string, language: 'JSON' | 'YAML' = 'YAML'): ParsedDocument | readonly SyntaxMistake[] {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const start = { line: 1, column: 1 }
  const tooMuch = tooMuchIn(text)
  if (tooMuch !== undefined) return [{ position: start, message: tooMuch }]
  try {
    const document = withoutStacks(() =>
      parseDocument(text, {
        lineCounter: lines,
        prettyErrors: false,
        logLevel: 'error',
        stringKeys: true,
        merge: true,
        // It compares each key with all others.
        uniqueKeys: false,
      }),
    )
    const wrong = [...document.errors, ...document.warnings].slice(0, MAX_MISTAKES)
    if (wrong.length > 0)
      return wrong.map((error) => ({
        position: at(error.pos[0]),
        message: messages[error.code] ?? `This is not valid ${language}.`,
      }))
    const { unknown, repeated, targets } = inspectNodes(document)
    const mistaken = [
      ...unknown.map((node) => ({ node, message: 'The alias has no anchor before it.' })),
      ...repeated.map((node) => ({ node, message: messages.DUPLICATE_KEY })),
    ]
    if (mistaken.length > 0) {
      return mistaken
        .map(({ node, message }) => ({ offset: startOf(node) ?? 0, message }))
        .sort((one, other) => one.offset - other.offset)
        .map(({ offset, message }) => ({ position: at(offset), message }))
    }
    const offsetOf = offsetsIn(document, targets)
    return {
      value: document.toJS({ maxAliasCount: -1 }), // they are counted above
      positionOf: ({ path, at: place }) => {
        const offset = offsetOf(path, place ?? 'value')
        return offset === undefined ? start : at(offset)
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return [{ position: start, message: 'The file is nested too deep.' }]
    if (error instanceof TooManyAliases) return [{ position: start, message: 'The aliases of the file are too many.' }]
    throw error
  }
}

/** Messages without the text of the file, which may contain secrets. */
const messages: Readonly<Partial<Record<YAMLError['code'], string>>> & { readonly DUPLICATE_KEY: string } = {
  ALIAS_PROPS: 'An alias cannot have an anchor or a tag.',
  BAD_ALIAS: 'An anchor or alias has a wrong name.',
  BAD_DIRECTIVE: 'A directive is wrong.',
  BAD_DQ_ESCAPE: 'A text in double quotes has an escape that does not exist.',
  BAD_INDENT: 'The indentation is wrong.',
  BAD_SCALAR_START: 'A text that begins like this needs quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A key or a list is in the wrong place. Check the indentation, and quote texts with a colon.',
  DUPLICATE_KEY: 'The key occurs twice.',
  KEY_OVER_1024_CHARS: 'A key is too long.',
  MISSING_CHAR: 'A character is missing, such as a comma, a colon, a quote or a bracket.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line. Check for a missing colon.',
  MULTIPLE_DOCS: 'The file must have one document.',
  NON_STRING_KEY: 'A key must be text.',
  TAB_AS_INDENT: 'Tabs cannot indent. Use spaces.',
  TAG_RESOLVE_FAILED: 'The tag is not known.',
}

/** Blanks, and the marks that the lexer sets before texts and documents. */
const uncounted: ReadonlySet<string | null> = new Set(['space', 'newline', 'scalar', 'doc-mode', 'byte-order-mark'])

/** Describes why a text would hold the process too long; `undefined` where it does not. */
function tooMuchIn(text: string): string | undefined {
  if (beginningsIn(text) > MAX_BEGINNINGS) {
    return `The file has more than ${MAX_BEGINNINGS} lines, commas and opening brackets.`
  }
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    if (!uncounted.has(CST.tokenType(token))) tokens += 1
    if (tokens > MAX_TOKENS) return `The file has more than ${MAX_TOKENS} texts, signs and comments.`
  }
  return undefined
}

/** The parser makes an error of each mistake, which may be most of its time, for the stacks that are not read. */
function withoutStacks<Result>(parse: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function beginningsIn(text: string): number {
  let count = 0
  for (const letter of text) if (letter === '\n' || letter === ',' || letter === '[' || letter === '{') count += 1
  return count
}

/** Returns how to find the offset of the deepest part of a path that the text has. */
function offsetsIn({ contents }: Document.Parsed, targets: ReadonlyMap<Alias, Node>) {
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>()

  function pairOf(map: YAMLMap, key: string): Pair | undefined {
    const known = pairs.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair), pair]))
    pairs.set(map, known)
    return known.get(key)
  }

  return (path: Path, place: 'key' | 'value'): number | undefined => {
    let node: unknown = contents
    let offset = startOf(node)
    for (const [index, part] of path.entries()) {
      const container = isAlias(node) ? targets.get(node) : node
      const isLast = index === path.length - 1
      if (isSeq(container)) node = container.items[Number(part)]
      else if (isMap(container)) {
        const pair = pairOf(container, String(part))
        if (!pair) return offset
        const key = startOf(pair.key)
        if (isLast && place === 'key') return key ?? offset
        node = pair.value
        // A key without a value has the place of the key.
        if (startOf(node) === undefined || (isScalar(node) && node.value === null)) return key ?? offset
      } else return offset
      offset = startOf(node) ?? offset
    }
    return offset
  }
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
