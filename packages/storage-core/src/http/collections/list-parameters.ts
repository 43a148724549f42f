import * as v from 'valibot'

const text = (description: string) =>
  v.optional(v.pipe(v.union([v.string(), v.array(v.string())]), v.description(description)))

const shared = {
  fields: text('Names of fields, separated by commas; `*` for all, `!` before one to leave out'),
  pretty: text('Whether the answer is indented'),
  ignore_unknown_fields: text('Whether unknown fields are ignored instead of refused'),
}

const FILTER =
  'Filter: a value, `<`, `<=`, `>`, `>=`, `a..b`, `!`, `*` wildcards, `null`, alternatives with `|`, literals in double quotes or braces'

/** The parameters of GET on one record, for the documents; the query language is read from the raw query. */
export const showParameters = v.looseObject(shared)

const filters = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text(FILTER)]))

export const listParameters = (names: readonly string[]) =>
  v.looseObject({
    ...shared,
    order_by: text('Fields, each with `asc` or `desc` behind it'),
    max_records: text('The most records of the answer, up to 10000'),
    return_records: text('`false` answers only the number of records'),
    return_timeout: text('Seconds, 0 to 120'),
    query_fields: text('Fields of which any may fit `query`'),
    query: text('A filter for `query_fields`'),
    ...filters(names),
  })

export const changeManyParameters = (names: readonly string[]) =>
  v.looseObject({
    return_timeout: text('Seconds to wait for jobs, 0 to 120'),
    continue_on_failure: text('Whether the records behind one that fails are changed too'),
    serial_records: text('Accepted; records are changed one after the other in any case'),
    max_records: text('The most records to change'),
    ...filters(names),
  })

export const changeParameters = v.looseObject({
  return_timeout: text('Seconds to wait for the job, 0 to 120'),
  return_records: text('Accepted; a record that is made is always answered'),
})
