import { eventFields } from '../../dialects/streams/event-fields.ts'
import { isDeepJson } from '../../nesting.ts'
import { parseJson } from '../parse-json.ts'

/**
 * Replaces secrets in an error event by `***`, also those that are written with escapes of JSON. An event without a secret
 * stays as it is.
 */
export function maskedEvent(text: string, secrets: readonly string[]): string {
  const output = replaced(text, secrets)
  if (secrets.length === 0 || !output.includes('\\')) return output
  const { name, data } = eventFields(output)
  const value = data === undefined ? undefined : parseJson(data)
  if (data === undefined || value === undefined) return output
  const head = name === undefined ? 'data: ' : `event: ${name}\ndata: `
  if (isDeepJson(data, value))
    return `${head}{"type":"error","error":{"message":"The upstream reported an error."}}\n\n`
  const encoded = JSON.stringify(value)
  const masked = replaced(
    encoded,
    secrets.map((secret) => JSON.stringify(secret).slice(1, -1)),
  )
  return masked === encoded ? output : `${head}${masked}\n\n`
}

const replaced = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
