export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** `{name}`: one segment that is not empty. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** `{name+}`: everything that is left, with its slashes. */
  | { readonly kind: 'rest'; readonly name: string }

/** A parsed route template. */
export interface PathTemplate {
  /** The template as it was written. */
  readonly source: string
  readonly segments: readonly PathSegment[]
  /** The names of the parameters, in the order of their segments. */
  readonly names: readonly string[]
  /** The same for all templates that match the same paths, regardless of the names of their parameters. */
  readonly shape: string
}

/** @throws TypeError if braces are not one whole segment, a name occurs twice, or `{name+}` is not the last segment */
export function parseTemplate(source: string): PathTemplate {
  if (!source.startsWith('/')) throw new TypeError(`The path '${source}' does not start with a slash`)
  const segments = source === '/' ? [] : source.slice(1).split('/').map(parseSegment)
  const names = segments.flatMap((segment) => (segment.kind === 'literal' ? [] : [segment.name]))
  if (new Set(names).size < names.length)
    throw new TypeError(`The path '${source}' has two parameters of the same name`)
  if (segments.slice(0, -1).some(({ kind }) => kind === 'rest')) {
    throw new TypeError(`The path '${source}' has segments after the one that takes the rest`)
  }
  return { source, segments, names, shape: `/${segments.map(shapeOf).join('/')}` }
}

const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)(\+?)\}$/

// Characters that no transport's router gives a meaning, so that each of them accepts the same literal.
const LITERAL = /^[A-Za-z0-9._~@$&=,;-]*$/

function parseSegment(text: string): PathSegment {
  const [, found, rest] = PARAMETER.exec(text) ?? []
  if (found !== undefined) return { kind: rest === '+' ? 'rest' : 'parameter', name: propertyName(found) }
  if (!LITERAL.test(text)) throw new TypeError(`'${text}' is neither a parameter nor a plain segment of a path`)
  return { kind: 'literal', text }
}

// A slice of a longer string is slow as a property name: V8 drops optimised code at each access with one.
const propertyName = (text: string): string => Object.keys({ [text]: true })[0] ?? text

function shapeOf(segment: PathSegment): string {
  if (segment.kind === 'literal') return segment.text
  return segment.kind === 'rest' ? '{+}' : '{}'
}

const ranks = { literal: 0, parameter: 1, rest: 2 } as const

/** Compares two templates. Of two that match the same path, the one with the earlier literal comes first. */
export function bySpecificity(one: PathTemplate, other: PathTemplate): number {
  for (const [index, segment] of one.segments.entries()) {
    const counterpart = other.segments[index]
    if (!counterpart) return 1
    const difference = ranks[segment.kind] - ranks[counterpart.kind]
    if (difference !== 0) return difference
  }
  return one.segments.length - other.segments.length
}

/** Maps the names of a template's parameters to their decoded values, in its order. A missing value is empty. */
export function nameValues({ names }: PathTemplate, values: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [index, name] of names.entries()) named[name] = values[index] ?? ''
  return named
}
