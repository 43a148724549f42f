import { dirname, resolve } from 'node:path'
import { SettingsError, settingNames } from '../../settings.ts'
import { guardrailMistakes } from '../check/check-guardrails.ts'
import { modelMistakes } from '../check/check-models.ts'
import { priceMistakes } from '../check/check-prices.ts'
import { engineMistakes, upstreamMistakes, volumeMistakes } from '../check/check-upstreams.ts'
import { namedEngines, namedUpstreams } from '../check/named-upstreams.ts'
import { upstreamIds } from '../check/upstream-ids.ts'
import type { ConfigFile } from '../config-file.ts'
import { unknownKey } from '../schema/section.ts'
import { type Sections, sections } from '../schema/sections.ts'
import { describeMistakes, MAX_MISTAKES, type Mistake, type Path } from './mistakes.ts'
import { parseText, type SyntaxMistake } from './parse-document.ts'
import { readText, UnreadableFile } from './read-text.ts'
import { concealed, resolveReferences } from './references.ts'
import { checkValue } from './schema-mistakes.ts'
import { variableOf, variablesIn } from './variables-in.ts'

const SCHEMA_KEY = '$schema'

/** What the file is read with. */
export interface Surroundings {
  /** For references. */
  readonly environment: NodeJS.ProcessEnv
  /** The settings of variables and flags, which have precedence over those of the file. */
  readonly given: Readonly<Record<string, unknown>>
  /** The content, where it was read before. */
  readonly text?: string | undefined
}

/** @throws SettingsError with all mistakes of the file, one line each */
export function readConfigFile(file: string, { environment, given, text = textOf(file) }: Surroundings): ConfigFile {
  const parsed = parseText(text, /\.json$/i.test(file) ? 'JSON' : 'YAML')
  if (!('positionOf' in parsed)) throw new SettingsError(describeSyntax(file, parsed))
  if (parsed.value === null || parsed.value === undefined) throw new SettingsError(`The file "${file}" is empty.`)
  const {
    value,
    referenced,
    references,
    topReferences,
    mistakes: unset,
    isTooMuch,
  } = resolveReferences(parsed.value, environment)
  const { positionOf } = parsed
  const describe = (mistakes: readonly Mistake[]) => describeMistakes(mistakes, { file, positionOf, references })
  if (isTooMuch) throw new SettingsError(describe(unset))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingsError(describe([{ path: [], message: 'The file must be an object with the settings' }]))
  }
  const { found, mistakes: wrong } = readSections(value)
  const entries = Object.entries(value).filter(([key]) => variableOf(key) !== undefined)
  const { variables, mistakes: wrongVariables } = variablesIn(entries, found)
  const short = withoutReferenced(given, referenced)
  const mistakes = [
    ...unset,
    ...wrong,
    ...unknownKeys(value),
    ...schemaKeyMistakes(value),
    ...wrongVariables,
    ...relations(found, value, { ...variables, ...short }, references),
  ]
  const all = withoutConsequences(unset, withReferences(mistakes, [...references, ...unset.map(({ path }) => path)]))
  if (all.length > 0) throw new SettingsError(describe(all))
  const conceal = (message: string) => concealed(message, referenced, environment)
  const named = new Map([...topReferences].map(([key, name]) => [key.toUpperCase(), name]))
  return {
    file,
    text,
    directory: dirname(resolve(file)),
    variables,
    sections: found,
    referenced,
    references: named,
    describe,
    conceal,
  }
}

/** Adds that a number cannot be a reference, set or not. */
function withReferences(mistakes: readonly Mistake[], references: readonly Path[]): readonly Mistake[] {
  const places = new Set(references.map((path) => JSON.stringify(path)))
  return mistakes.map((mistake) =>
    mistake.isOfText && places.has(JSON.stringify(mistake.path))
      ? { ...mistake, message: `${mistake.message}, and cannot come from a variable` }
      : mistake,
  )
}

/** Leaves out what is wrong only because a variable is not set, and for a place that cannot have one, that it is not. */
function withoutConsequences(unset: readonly Mistake[], mistakes: readonly Mistake[]): readonly Mistake[] {
  const placesOf = (some: readonly Mistake[]) => new Set(some.map(({ path }) => JSON.stringify(path)))
  const wrongKinds = placesOf(mistakes.filter(({ isOfText }) => isOfText))
  const unsetPlaces = placesOf(unset)
  const causes = new Set(unset)
  return mistakes.filter((mistake) => {
    const place = JSON.stringify(mistake.path)
    if (causes.has(mistake)) return !wrongKinds.has(place)
    return mistake.isOfText || mistake.at === 'key' || !unsetPlaces.has(place)
  })
}

/** Leaves out variables that the file names with a `$`: they are values of the file then. */
export const withoutReferenced = <Value>(
  given: Readonly<Record<string, Value>>,
  referenced: ReadonlySet<string>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !referenced.has(name)))

function textOf(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new SettingsError(`The file "${file}" ${error.message}.`)
  }
}

const describeSyntax = (file: string, mistakes: readonly SyntaxMistake[]): string =>
  mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ position: { line, column }, message }) => `${file}:${line}:${column} ${message}`)
    .join('\n')

/** Checks each section for itself, so that a mistake in one does not hide those of the others. */
function readSections(value: object): { readonly found: Sections; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = []
  const found: Partial<Record<string, unknown>> = {}
  const given = new Map<string, unknown>(Object.entries(value))
  for (const [name, { wrapped }] of Object.entries(sections)) {
    if (!given.has(name)) continue
    const checked = checkValue(wrapped, given.get(name), [name])
    if ('output' in checked) found[name] = checked.output
    else mistakes.push(...checked.mistakes)
  }
  return { found: found as Sections, mistakes } // each was checked by its own schema
}

function unknownKeys(value: object): readonly Mistake[] {
  const names = [...Object.keys(sections), ...settingNames.map((name) => name.toLowerCase())]
  return Object.keys(value)
    .filter((key) => key !== SCHEMA_KEY && !Object.hasOwn(sections, key) && variableOf(key) === undefined)
    .map((key) => ({
      path: [key],
      at: 'key',
      ...unknownKey(key.toLowerCase(), names, 'is not a key of the file'),
    }))
}

/** Editors read the address of the schema from this key. */
const schemaKeyMistakes = (value: object): readonly Mistake[] =>
  !(SCHEMA_KEY in value) || typeof value[SCHEMA_KEY] === 'string'
    ? []
    : [{ path: [SCHEMA_KEY], message: 'must be text' }]

/** Finds what sections name in others that does not exist. */
function relations(
  found: Sections,
  value: object,
  settings: Readonly<Record<string, unknown>>,
  references: readonly Path[],
): readonly Mistake[] {
  const named = namedUpstreams(settings)
  const ids = upstreamIds(value, named, references)
  const names = Object.keys(found.models ?? {})
  return [
    ...(found.upstreams ? upstreamMistakes(found.upstreams, named) : []),
    ...(found.models ? modelMistakes(found.models, ids) : []),
    ...(found.prices ? priceMistakes(found.prices, ids) : []),
    ...(found.guardrails ? guardrailMistakes(found.guardrails, ids, names) : []),
    ...(found.engines ? engineMistakes(found.engines, namedEngines(settings)) : []),
    ...(found.volumes ? volumeMistakes(found.volumes) : []),
  ]
}
