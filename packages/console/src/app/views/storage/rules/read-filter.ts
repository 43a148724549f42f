/** The parameters of a query, each with all its values. */
export type RuleQuery = Readonly<Record<string, readonly string[]>>

/** Reads the conditions of a filter: `field=value`, joined by `&`. An `&` inside quotes or braces belongs to the value. */
export function readFilter(text: string): RuleQuery {
  const query: Record<string, string[]> = {}
  for (const condition of conditionsOf(text)) {
    const equals = condition.indexOf('=')
    const [name, value] =
      equals < 0 ? [condition, ''] : [condition.slice(0, equals).trim(), condition.slice(equals + 1).trim()]
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}

const conditionsOf = (text: string): readonly string[] =>
  (text.match(/(?:"(?:\\.|[^"\\])*"?|\{[^}]*\}?|[^&"{])+/g) ?? [])
    .map((condition) => condition.trim())
    .filter((condition) => condition !== '')

/** A filter in three parts. */
export interface MarkedFilter {
  readonly before: string
  /** The wrong condition; empty when it is unknown. */
  readonly wrong: string
  readonly after: string
}

/** Finds the condition of a field in the filter. */
export function markField(text: string, field: string): MarkedFilter {
  const wrong = conditionsOf(text).find((condition) => condition === field || condition.startsWith(`${field}=`)) ?? ''
  const start = wrong === '' ? text.length : text.indexOf(wrong)
  return { before: text.slice(0, start), wrong, after: text.slice(start + wrong.length) }
}
