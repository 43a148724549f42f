import * as v from 'valibot'

export const text = (description: string) =>
  v.optional(v.pipe(v.union([v.string(), v.array(v.string())]), v.description(description)))

const shared = {
  fields: text('Names of fields, separated by commas. `*` selects all, `!` excludes a name.'),
  pretty: text('Whether the answer is indented.'),
  ignore_unknown_fields: text('Whether unknown fields are ignored instead of refused.'),
}

const FILTER =
  'A filter: a value, `<`, `<=`, `>`, `>=`, `a..b`, `!`, `*` wildcards, `null`, alternatives with `|`, literals in double quotes or braces.'

/** The parameters of GET on one record, for OpenAPI. They are parsed from the raw query. */
export const showParameters = v.looseObject(shared)

const filters = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text(FILTER)]))

export const listParameters = (names: readonly string[]) =>
  v.looseObject({
    ...shared,
    order_by: text('Fields, each optionally followed by `asc` or `desc`.'),
    max_records: text('The maximum number of records in the answer, at most 10000.'),
    return_records: text('`false` returns only the number of records.'),
    return_timeout: text('Accepted from 0 to 120 seconds. A list does not wait.'),
    query_fields: text('The fields of `query`, at least one of which must match.'),
    query: text('A filter for `query_fields`.'),
    ...filters(names),
  })

export const changeManyParameters = (names: readonly string[]) =>
  v.looseObject({
    return_timeout: text('The time to wait for jobs, from 0 to 120 seconds.'),
    continue_on_failure: text('Whether the records after a failure are also changed.'),
    serial_records: text('Accepted without effect. Records are always changed one after the other.'),
    max_records: text('The maximum number of records to change.'),
    ...filters(names),
  })

export const changeParameters = v.looseObject({
  return_timeout: text('The time to wait for the job, from 0 to 120 seconds.'),
  return_records: text('Accepted without effect. A created record is always returned.'),
})
