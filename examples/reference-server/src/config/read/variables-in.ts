import * as v from 'valibot'
import { settingMistake, settingNames } from '../../settings.ts'
import type { Labs } from '../schema/labs.ts'
import type { Sections } from '../schema/sections.ts'
import { variable } from '../schema/variables.ts'
import type { Volume } from '../schema/volumes.ts'
import type { Mistake, Path } from './mistakes.ts'

/** The value of a variable, as the environment would have it, and where the file sets it. */
interface Found {
  readonly name: string
  readonly path: Path
  readonly value: string
}

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>

const known: ReadonlySet<string> = new Set(settingNames)

/** Returns the variable that a key names, in lower case or in upper case. */
export function variableOf(key: string): string | undefined {
  const name = key.toUpperCase()
  return known.has(name) && (key === name || key === name.toLowerCase()) ? name : undefined
}

/** Reads the variables of the file, also those that `labs` and `volumes` stand for. */
export function variablesIn(
  entries: readonly (readonly [string, unknown])[],
  { labs = {}, volumes }: Pick<Sections, 'labs' | 'volumes'>,
): { readonly variables: Variables; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = []
  const found: Found[] = []
  for (const [key, given] of entries) {
    const result = v.safeParse(variable, given)
    if (result.success) found.push({ name: key.toUpperCase(), path: [key], value: asText(result.output) })
    else mistakes.push({ path: [key], message: 'must be text, a number, true, false or a list of texts' })
  }
  found.push(...ofLabs(labs), ...(volumes ? [ofVolumes(volumes)] : []))
  const variables = new Map<string, Found>()
  for (const one of found) {
    const { name, path, value } = one
    const wrong = settingMistake(name, value)
    if (wrong !== undefined) mistakes.push({ path, message: wrong })
    const other = variables.get(name)
    if (other) mistakes.push({ path, at: 'key', message: `sets ${name}, which the file sets twice` })
    variables.set(name, one)
  }
  return { variables: Object.fromEntries([...variables].map(([name, { value }]) => [name, value])), mistakes }
}

function asText(value: v.InferOutput<typeof variable>): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return Array.isArray(value) ? value.join() : String(value)
}

const ofLabs = (labs: Labs): readonly Found[] =>
  Object.entries(labs).map(([key, value]) => ({
    name: `TRIVIUM_${key.toUpperCase()}`,
    path: ['labs', key],
    value: asText(value),
  }))

const ofVolumes = (volumes: readonly Volume[]): Found => ({
  name: 'TRIVIUM_VOLUMES',
  path: ['volumes'],
  value: volumes.map(({ name, directory = 'simulated' }) => `${name}=${directory}`).join(),
})
