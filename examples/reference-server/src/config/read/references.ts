import type { Mistake, Path } from './mistakes.ts'

/** The content of a file, with the variables of the environment that it names. */
export interface Resolved {
  readonly value: unknown
  /** The names of variables that the file refers to. */
  readonly referenced: ReadonlySet<string>
  /** Those of values at the top of the file, by the keys of these. */
  readonly topReferences: ReadonlyMap<string, string>
  /** Where variables were found. */
  readonly references: readonly Path[]
  readonly mistakes: readonly Mistake[]
  /** Whether the rest was not read. */
  readonly isTooMuch: boolean
}

const REFERENCE = /^\$([A-Za-z_]\w*)$/

/** What other programs have as references, or parts of a text that look like ours. */
const FOREIGN = /^(?:os\.environ\/|\$\{)(\w+)\}?$/
const EMBEDDED = /os\.environ\/\w|\$\{\w+\}|(?:^|[\s/:@=])\$[A-Z][A-Z0-9_]+/

/** Where such a text would be sent to another server, or be a password that anyone can guess. */
const sensitiveKeys: ReadonlySet<unknown> = new Set(['api_key', 'headers', 'base_url', 'options'])
const SENSITIVE_VARIABLE = /(?:key|password|token|url|host)$/i

/** More is not a configuration. It also ends values that contain themselves. */
const MAX_DEPTH = 50
const MAX_VALUES = 200_000

/** Names that objects have by themselves. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Replaces each text that is exactly `$NAME` by that variable. A text that begins with `$$` begins with one `$`. Keys are
 * left as they are.
 */
export function resolveReferences(value: unknown, environment: NodeJS.ProcessEnv): Resolved {
  const mistakes: Mistake[] = []
  const referenced = new Set<string>()
  const topReferences = new Map<string, string>()
  const references: Path[] = []
  let values = 0
  let isTooMuch = false

  function resolveText(text: string, path: Path): string {
    if (text.startsWith('$$')) return text.slice(1)
    const name = REFERENCE.exec(text)?.[1]
    if (name === undefined) {
      const message = isSensitive(path) ? nearMiss(text) : undefined
      if (message !== undefined) mistakes.push({ path, message })
      return text
    }
    referenced.add(name)
    if (path.length === 1) topReferences.set(String(path[0]), name)
    const found = environment[name]?.replace(/\r?\n$/, '') // as files of secrets end
    if (found) {
      references.push(path)
      return found
    }
    mistakes.push({ path, message: `is $${name}, but the variable ${name} is not set` })
    return text
  }

  function resolve(given: unknown, path: Path): unknown {
    values += 1
    if (isTooMuch) return undefined
    if (path.length > MAX_DEPTH || values > MAX_VALUES) {
      isTooMuch = true
      const message = path.length > MAX_DEPTH ? `is nested deeper than ${MAX_DEPTH} levels` : 'is too large'
      mistakes.push({ path: path.slice(0, 1), message })
      return undefined
    }
    if (typeof given === 'string') return resolveText(given, path)
    if (Array.isArray(given)) return given.map((item, index) => resolve(item, [...path, index]))
    if (typeof given !== 'object' || given === null) return given
    const entries: (readonly [string, unknown])[] = []
    for (const [key, item] of Object.entries(given)) {
      if (reserved.has(key)) mistakes.push({ path: [...path, key], at: 'key', message: 'cannot be the name of a key' })
      else entries.push([key, resolve(item, [...path, key])])
    }
    return Object.fromEntries(entries)
  }

  const resolved = resolve(value, [])
  return {
    value: resolved,
    referenced,
    references,
    topReferences,
    mistakes: isTooMuch ? mistakes.slice(-1) : mistakes,
    isTooMuch,
  }
}

const isSensitive = ([first, , third, ...rest]: Path): boolean =>
  first === 'upstreams' || first === 'engines'
    ? sensitiveKeys.has(third)
    : third === undefined && rest.length === 0 && SENSITIVE_VARIABLE.test(String(first))

/** Describes a text that is meant as a reference, but is not one. */
function nearMiss(text: string): string | undefined {
  const name = FOREIGN.exec(text)?.[1]
  if (name !== undefined) return `is not a reference to a variable. Write it as $${name}`
  if (!EMBEDDED.test(text)) return undefined
  return 'has a reference within a text, but only a whole text such as $NAME is one. Put the whole value, such as "Bearer …" or an address, into a variable'
}

/** Shorter values would be found in words. */
const LEAST_CONCEALED = 4

/** Replaces values of variables in a text by their names, the longest first. */
export const concealed = (text: string, names: Iterable<string>, environment: NodeJS.ProcessEnv): string =>
  [...names]
    .map((name) => ({ name, value: environment[name]?.trim() ?? '' }))
    .filter(({ value }) => value.length >= LEAST_CONCEALED)
    .sort((one, other) => other.value.length - one.value.length)
    .reduce((rest, { name, value }) => rest.replaceAll(value, () => `$${name}`), text)
