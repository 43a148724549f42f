import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { settingHelp, settingNames } from '../../settings.ts'
import { described, section } from './section.ts'
import { sections } from './sections.ts'
import { variable } from './variables.ts'

/** Where the schema of the current version is published. */
export const SCHEMA_URL =
  'https://raw.githubusercontent.com/trivium-services/trivium/main/examples/reference-server/config.schema.json'

const variables = Object.fromEntries(
  settingNames.map((name) => [name.toLowerCase(), v.exactOptional(described(sentence(settingHelp(name)), variable))]),
)

const schemaKey = v.exactOptional(described('The address of this schema, for editors.', v.string()))

/** Returns the JSON Schema of the file, for editors. Variables in upper case are accepted, too. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = toJsonSchema(section({ $schema: schemaKey, ...variables, ...sections }), {
    target: 'draft-07',
    typeMode: 'output',
    errorMode: 'ignore',
  })
  return {
    $schema,
    $id: SCHEMA_URL,
    title: 'Configuration of the Trivium reference server',
    description: 'A text that is exactly $NAME is that variable of the environment, and $$ at its beginning is a $.',
    ...withReferences(schema),
    patternProperties: { '^[A-Z][A-Z0-9_]*$': { type: ['string', 'number', 'boolean'] } },
  }
}

const reference = { type: 'string', pattern: '^\\$[A-Za-z_]\\w*$' }

/** Lets texts of a fixed form be references, too. Keys are never references. */
function withReferences(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, key === 'propertyNames' ? part : referable(part)]),
  )
}

function referable(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(referable)
  if (typeof part !== 'object' || part === null) return part
  const isForm = ('pattern' in part && typeof part.pattern === 'string') || ('enum' in part && Array.isArray(part.enum))
  if (!isForm) return withReferences(part)
  const { description, ...form } = { description: undefined, ...part }
  return { ...(description === undefined ? {} : { description }), anyOf: [form, reference] }
}

function sentence(help: string): string {
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}.`
}

/** Returns the text of `config.schema.json`. */
export const configSchemaFile = (): string => `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`
