import { isObject } from '@trivium/http-contract'
import { ruleBody } from '../quota-rules/rule-operations.ts'

/** A column of a CSV file: a member of the body of a rule. */
export interface RuleColumn {
  /** Dotted, such as `space.hard_limit`. */
  readonly name: string
  /** The member that is a list, with the name inside its items: `users` and `name`. The name is empty where
   * the items are values. Absent for a single value. */
  readonly list?: { readonly member: string; readonly key: string }
}

/** Returns the single values of a schema, by their dotted names. */
function columnsOf(schema: unknown, name: string, member?: string): readonly RuleColumn[] {
  if (!isObject(schema)) return []
  if ('wrapped' in schema) return columnsOf(schema.wrapped, name, member)
  if ('item' in schema) return columnsOf(schema.item, name, name)
  if (isObject(schema.entries)) {
    return Object.entries(schema.entries).flatMap(([key, inner]) =>
      columnsOf(inner, name === '' ? key : `${name}.${key}`, member),
    )
  }
  const form = Array.isArray(schema.options)
    ? schema.options.find((one) => isObject(one) && 'entries' in one)
    : undefined
  if (form !== undefined) return columnsOf(form, name, member)
  return [{ name, ...(member !== undefined && { list: { member, key: name.slice(member.length + 1) } }) }]
}

/** The columns that a file can have: what the body of a new rule can. */
export const ruleColumns: ReadonlyMap<string, RuleColumn> = new Map(
  columnsOf(ruleBody, '').map((column) => [column.name, column]),
)
