import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAXIMUM_THRESHOLDS } from '../../quota-rules/check-notifications.ts'
import { MAXIMUM_USERS } from '../../quota-rules/check-target.ts'
import { quotaTypes } from '../../quota-rules/quota-target.ts'
import {
  changeManyParameters,
  changeParameters,
  listParameters,
  showParameters,
} from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import {
  changedMany,
  createdAnswer,
  flag,
  gracePeriod,
  jobAnswer,
  limit,
  links,
  listOf,
  named,
  reference,
  sizeInAnswer,
} from '../wire-schemas.ts'
import { ruleWireFields } from './rule-fields.ts'

const limits = v.partial(v.object({ hard_limit: sizeInAnswer, soft_limit: sizeInAnswer }))

/** The members of a rule that say where it is and what it limits. */
export const ruleIdentity = {
  svm: reference,
  volume: reference,
  uuid: v.string(),
  type: v.picklist(quotaTypes),
  users: v.array(v.union([v.object({ name: v.string() }), v.object({ id: v.string() })])),
  group: v.union([v.object({ name: v.string() }), v.object({ id: v.string() })]),
  qtree: v.partial(v.object({ name: v.string(), id: v.number(), _links: links })),
}

/** The other members of a rule, which a change can set. */
export const ruleSettings = {
  user_mapping: v.boolean(),
  space: v.pipe(limits, v.description('In bytes. A limit that is not set is absent.')),
  files: limits,
  grace_period: v.pipe(v.string(), v.description('As an ISO 8601 duration. Absent where that of the volume applies.')),
  thresholds: v.pipe(v.array(v.number()), v.description('In percent, ascending.')),
}

const rule = v.pipe(v.partial(v.object({ ...ruleIdentity, ...ruleSettings, _links: links })), v.title('QuotaRule'))

const limitChanges = v.strictObject({ hard_limit: v.optional(limit), soft_limit: v.optional(limit) })

const text = v.pipe(
  v.union([v.string(), v.number(), v.bigint()]),
  v.transform((value) => String(value)),
)

const principal = v.strictObject({ name: v.exactOptional(text), id: v.exactOptional(text) })

/** An entry of users. A text is a name. */
const user = v.pipe(
  v.union([text, principal]),
  v.transform((value) => (typeof value === 'string' ? { name: value } : value)),
)

const threshold = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,3}$/, 'a whole number is expected.'))]),
  v.transform(Number),
  v.check(
    (percent) => Number.isInteger(percent) && percent >= 1 && percent <= 100,
    'a whole number from 1 to 100 is expected.',
  ),
)

const thresholds = v.pipe(
  v.nullable(v.pipe(v.array(threshold), v.maxLength(MAXIMUM_THRESHOLDS))),
  v.transform((percentages) => percentages ?? []),
  v.description('In percent of the hard limit, or else of the soft one. Null or an empty list for none.'),
)

const changes = {
  space: v.optional(limitChanges),
  files: v.optional(limitChanges),
  grace_period: v.optional(gracePeriod),
  thresholds: v.optional(thresholds),
}
const userMapping = { user_mapping: v.optional(flag) }
const rulePatch = v.strictObject({ ...changes, ...userMapping })

/** The body of a request to create a rule. */
export const ruleBody = v.strictObject({
  svm: v.optional(named),
  volume: v.optional(named),
  type: v.picklist(quotaTypes),
  users: v.optional(
    v.pipe(
      v.array(user),
      v.maxLength(MAXIMUM_USERS),
      v.description('One user, or several users that share the limits.'),
    ),
  ),
  group: v.optional(principal),
  qtree: v.optional(v.strictObject({ name: v.optional(v.string()) })),
  ...userMapping,
  ...changes,
})

export type RuleBody = v.InferOutput<typeof ruleBody>

const filters = Object.keys(ruleWireFields)
const tags = ['quota rules']
const PATH = '/api/storage/quota/rules'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })

export const ruleOperations = defineContract({
  listQuotaRules: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists quota rules',
    query: listParameters(filters),
    responses: { 200: listOf(rule), ...failureResponses },
  },
  createQuotaRule: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Creates a quota rule',
    description: 'Also creates a default rule of the same type without limits when the volume has none.',
    query: changeParameters,
    body: ruleBody,
    responses: { 201: createdAnswer(rule), 202: createdAnswer(rule), ...failureResponses },
  },
  updateQuotaRules: {
    method: 'PATCH',
    path: PATH,
    tags,
    summary: 'Changes every quota rule that matches a query',
    query: changeManyParameters(filters),
    body: rulePatch,
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  deleteQuotaRules: {
    method: 'DELETE',
    path: PATH,
    tags,
    summary: 'Deletes every quota rule that matches a query',
    query: changeManyParameters(filters),
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  getQuotaRule: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a quota rule',
    params,
    query: showParameters,
    responses: { 200: rule, ...failureResponses },
  },
  updateQuotaRule: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Changes the limits of a quota rule, also in the file system while quotas are on',
    params,
    query: changeParameters,
    body: rulePatch,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
  deleteQuotaRule: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a quota rule',
    params,
    query: changeParameters,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
})

export type RulePatch = v.InferOutput<typeof rulePatch>
