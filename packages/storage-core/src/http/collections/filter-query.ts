import { err, ok, type Result } from 'neverthrow'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { type Alternative, type FilterError, parseFilter } from '../../query/parse-filter.ts'
import type { Clause, Condition, Query } from '../../query/query.ts'
import { codes } from '../errors/error-codes.ts'
import type { Failure } from '../errors/failure.ts'
import { nameOrIdClauses, selectsNamesAlone } from './names-or-ids.ts'
import { type Parameters, unexpectedArgument } from './parameters.ts'
import { type ConstantField, findWireField, parseWireFilter, type WireRecords, wireName } from './wire-field.ts'

/** Databases limit the number of values in a statement. */
const MAXIMUM_CONDITIONS = 10_000
/** Each of them is compared with each record, in one turn of the event loop. */
const MAXIMUM_PATTERNS = 40

/** A clause that matches nothing. */
const nothing: Clause<never> = { any: [] }

/** Parses the filters of a request, and its `query` over several fields. */
export function filterQuery<Entity, Name extends string>(
  { fields, filters, query, queryFields, ignoreUnknownFields }: Parameters,
  records: WireRecords<Entity, Name>,
): Result<Query<Name>, Failure> {
  const all: Clause<Name>[] = []
  for (const [name, filter] of filters) {
    const clauses = filterClauses(name, filter, records, fields)
    if (clauses === 'unknown') {
      if (ignoreUnknownFields) continue
      return err(unexpectedArgument(name))
    }
    if (clauses.isErr()) return err(filterFailure(clauses.error, name))
    all.push(...clauses.value)
  }
  const whole: Result<Query<Name>, Failure> = query === undefined
    ? ok({ all })
    : anyFieldClause(query, queryFields, records, ignoreUnknownFields).map((clause) => ({ all: [...all, clause] }))
  return whole.andThen((read) => {
    const conditions = read.all.flatMap(({ any }) => any)
    if (conditions.length > MAXIMUM_CONDITIONS) return err(tooMany(MAXIMUM_CONDITIONS, 'conditions'))
    const patterns = conditions.filter(({ term }) => term.kind === 'pattern')
    return patterns.length > MAXIMUM_PATTERNS ? err(tooMany(MAXIMUM_PATTERNS, 'patterns')) : ok(read)
  })
}

const tooMany = (maximum: number, what: string): Failure => ({
  status: 400,
  code: codes.invalidValue,
  message: `The query has more than ${maximum} ${what}.`,
})

function filterClauses<Entity, Name extends string>(
  name: string,
  filter: string,
  records: WireRecords<Entity, Name>,
  selected: string,
): Result<readonly Clause<Name>[], FilterError> | 'unknown' {
  const { catalogue, absent } = records
  const wire = findWireField(records, name)
  if (!wire) return absent?.has(firstName(name)) ? constantClauses(filter, absentField) : 'unknown'
  if ('constant' in wire) return constantClauses(filter, wire)
  const alternatives = parseWireFilter(filter, wire, catalogue)
  if (wire.idField !== undefined && selectsNamesAlone(selected, wireName(wire.field, records.fields))) {
    const fields = { name: wire.field, id: wire.idField }
    return alternatives.andThen((read) => {
      const clauses = nameOrIdClauses(read, fields)
      return clauses ? ok(clauses) : tooManyNegated
    })
  }
  return alternatives.map((read) => [{ any: read.map((alternative) => ({ field: wire.field, ...alternative })) }])
}

const tooManyNegated = err({ type: 'malformed-filter', reason: 'it has more than 4 negated values' } as const)

const absentField: ConstantField = { constant: undefined, shape: { type: 'string' } }

const firstName = (name: string): string => name.split('.')[0] ?? ''

/** Evaluates a filter on a field that is equal in all records. */
function constantClauses(
  filter: string,
  { constant, shape }: ConstantField,
): Result<readonly Clause<never>[], FilterError> {
  return parseFilter(filter, shape).map((alternatives) => (holds(alternatives, constant, shape) ? [] : [nothing]))
}

function holds(alternatives: readonly Alternative[], value: ConstantField['constant'], shape: ConstantField['shape']) {
  const catalogue = defineFields<object>()({ constant: { ...shape, read: () => value } }, [])
  const any = alternatives.map((alternative) => ({ field: 'constant', ...alternative }) as const)
  return compileQuery(catalogue, { all: [{ any }] })({})
}

/** Parses `query` for each of `query_fields`. Fields that cannot have the value are ignored unless none can. */
function anyFieldClause<Entity, Name extends string>(
  query: string,
  queryFields: string,
  records: WireRecords<Entity, Name>,
  ignoreUnknownFields: boolean,
): Result<Clause<Name>, Failure> {
  const names = new Set(queryFields.split(',').flatMap((name) => name.trim() || []))
  if (names.size === 0) {
    return err({
      status: 400,
      code: codes.missingValue,
      message: 'The parameter "query" requires "query_fields".',
      target: 'query_fields',
    })
  }
  const any: Condition<Name>[] = []
  let refused: FilterError | undefined
  let parsed = false
  for (const name of names) {
    const wire = findWireField(records, name)
    if (!wire && !ignoreUnknownFields) return err(unexpectedArgument(name))
    if (!wire || 'constant' in wire) continue
    const alternatives = parseWireFilter(query, wire, records.catalogue)
    if (alternatives.isErr()) refused = alternatives.error
    else {
      parsed = true
      any.push(...alternatives.value.map((alternative) => ({ field: wire.field, ...alternative })))
    }
  }
  return refused && !parsed ? err(filterFailure(refused, 'query')) : ok({ any })
}

function filterFailure(error: FilterError, name: string): Failure {
  const message =
    error.type === 'invalid-value'
      ? `"${error.value}" is an invalid value for field "${name}": ${error.expected} is expected.`
      : `The query on field "${name}" is malformed: ${error.reason}.`
  return { status: 400, code: codes.invalidValue, message, target: name }
}
