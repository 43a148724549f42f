import type { JsonObject } from '../../dialect.ts'
import { objectsOf, textOf } from '../../json-values.ts'

/** The member of the hints that has the descriptions. */
const NAME = 'tools.namespace.description'

/**
 * Collects the descriptions of namespaces, also of those that items of `input` add. Other dialects have only the tools of
 * a namespace, so they are hints.
 */
export function namespaceDescriptions({ tools, input }: JsonObject): JsonObject {
  const added = objectsOf(input).flatMap((item) => (item.type === 'additional_tools' ? objectsOf(item.tools) : []))
  const texts = [...objectsOf(tools), ...added].flatMap(({ type, name, description }) => {
    const text = type === 'namespace' && description !== name ? textOf(description) : undefined
    return text === undefined || text === '' ? [] : [text]
  })
  return texts.length > 0 ? { [NAME]: texts } : {}
}
