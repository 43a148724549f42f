/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** A mistake in the file. */
export interface Mistake {
  readonly path: Path
  /** The rest of the sentence that begins with the path. It contains no value. */
  readonly message: string
  /** The message with the value, and with what may be meant. Only messages that are reported are made. */
  readonly inDetail?: () => string
  /** Whether the key is wrong, or its value. @default 'value' */
  readonly at?: 'key' | 'value'
  /** Whether a number, true or false is wanted, which no text can be. @default false */
  readonly isOfText?: boolean
}

/** The most mistakes that are reported together. */
export const MAX_MISTAKES = 50

/** A place in the file, each counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** How mistakes are described. */
export interface Description {
  /** As the operator named it. */
  readonly file: string
  readonly positionOf: (mistake: Mistake) => Position
  /** Where values come from variables, which messages never contain. */
  readonly references: readonly Path[]
}

/** Describes mistakes, one line each, in the order of the file. */
export function describeMistakes(mistakes: readonly Mistake[], { file, positionOf, references }: Description): string {
  const placed = mistakes
    .map((mistake) => ({ mistake, ...positionOf(mistake) }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
  const lines = placed.slice(0, MAX_MISTAKES).map(({ line, column, mistake }) => {
    const { path, inDetail } = mistake
    const subject = path.length === 0 ? '' : `${textOf(path)}: `
    const message = inDetail && !hasReference(mistake, references) ? inDetail() : mistake.message
    return `${file}:${line}:${column} ${subject}${/[.?]$/.test(message) ? message : `${message}.`}`
  })
  const more = placed.length - lines.length
  return more > 0 ? [...lines, `There are ${more} more mistakes.`].join('\n') : lines.join('\n')
}

/** Whether a value, or a part of it, comes from a variable. Keys never do. */
const hasReference = ({ path, at }: Mistake, references: readonly Path[]): boolean =>
  at !== 'key' &&
  references.some((reference) => path.every((part, index) => index >= reference.length || part === reference[index]))

const PLAIN_KEY = /^[\w-]+$/

/** Returns a path as `models.fast.targets[0]`. */
export const textOf = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const key = part.length > 100 ? `${part.slice(0, 100)}…` : part
    if (!PLAIN_KEY.test(key)) return `${text}[${JSON.stringify(key)}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
