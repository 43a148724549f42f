import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAXIMUM_LIFETIME_SECONDS } from '../../self-tokens/self-token-arguments.ts'
import { changeParameters, listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { principal, reportMembers } from '../quota-reports/report-operations.ts'
import { parseDuration } from '../tokens/duration.ts'
import { createdAnswer, links, listOf } from '../wire-schemas.ts'

const total = v.object({ used: v.object({ total: v.number() }) })

const ownQuota = v.pipe(
  v.object({
    ...v.partial(v.object(reportMembers)).entries,
    own: v.optional(
      v.pipe(
        v.object({ space: total, files: v.optional(total) }),
        v.description('What the user owns of the files in a qtree.'),
      ),
    ),
    shared_with: v.optional(
      v.pipe(
        v.object({
          num_users: v.number(),
          users: v.pipe(
            v.array(v.object({ ...principal.entries, space: v.optional(total), files: v.optional(total) })),
            v.description('At most 100, those with the largest use first.'),
          ),
        }),
        v.description(
          'The other users whose files count towards the same limit. Absent where they are not counted yet.',
        ),
      ),
    ),
  }),
  v.title('OwnQuota'),
)

const ownQuotas = v.pipe(
  v.object({
    user: v.pipe(principal, v.description('The user of the file systems whose quotas these are.')),
    records: v.array(ownQuota),
    num_records: v.number(),
    warnings: v.optional(
      v.pipe(
        v.array(v.object({ message: v.string(), code: v.string(), target: v.optional(v.string()) })),
        v.description('The volumes whose usage, or whose owners of files, are not available now.'),
      ),
    ),
  }),
  v.title('OwnQuotas'),
)

const token = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      user: principal,
      create_time: v.string(),
      expiry_time: v.string(),
      token: v.pipe(v.string(), v.description('The secret. Only in the answer to its creation.')),
      _links: links,
    }),
  ),
  v.title('SelfToken'),
)

const lifetime = v.pipe(
  v.union([
    v.number(),
    v.pipe(
      v.string(),
      v.check(
        (text) => parseDuration(text) !== undefined,
        'a number of seconds or a duration such as P30D is expected.',
      ),
    ),
  ]),
  v.transform((value) => (typeof value === 'number' ? value : (parseDuration(value) ?? 0))),
  v.check(
    (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= MAXIMUM_LIFETIME_SECONDS,
    `from 1 to ${MAXIMUM_LIFETIME_SECONDS} seconds are allowed.`,
  ),
  v.description('In seconds, or an ISO 8601 duration such as P30D. 90 days by default.'),
)

const MAXIMUM_NAME_LENGTH = 128
const aName = (text: string) => text.length >= 1 && !/^\d+$/.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text)

const user = v.pipe(
  v.strictObject({
    name: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(MAXIMUM_NAME_LENGTH, `at most ${MAXIMUM_NAME_LENGTH} characters are allowed.`),
        v.check(aName, 'a name that is not a number is expected, without control characters.'),
      ),
    ),
    id: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^(?:0|[1-9]\d{0,9})$/, 'a number of at most 10 digits without leading zeros is expected.'),
      ),
    ),
  }),
  v.check(
    ({ name, id }) => (name === undefined) !== (id === undefined),
    'either the name or the id of a user is expected.',
  ),
)

const tags = ['self-service']
const PATH = '/api/self/tokens'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })

export const selfOperations = defineContract({
  getSelfQuotas: {
    method: 'GET',
    path: '/api/self/quotas',
    tags,
    summary: 'Reads what the calling user uses and may use',
    query: v.looseObject({
      user: v.exactOptional(
        v.pipe(
          v.string(),
          v.maxLength(MAXIMUM_NAME_LENGTH, `at most ${MAXIMUM_NAME_LENGTH} characters are allowed.`),
          v.description('The name or the number of a user, for the admin, who has no quotas.'),
        ),
      ),
    }),
    responses: { 200: ownQuotas, ...failureResponses },
  },
  listSelfTokens: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists the tokens of users',
    query: listParameters(['uuid', 'user.name', 'user.id', 'create_time', 'expiry_time']),
    responses: { 200: listOf(token), ...failureResponses },
  },
  createSelfToken: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Creates a token with which one user reads the own quotas, and nothing else',
    query: changeParameters,
    body: v.strictObject({ user, lifetime: v.exactOptional(lifetime) }),
    responses: { 201: createdAnswer(token), ...failureResponses },
  },
  getSelfToken: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a token of a user, without its secret',
    params,
    query: showParameters,
    responses: { 200: token, ...failureResponses },
  },
  deleteSelfToken: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a token of a user, which admits no one from then on',
    params,
    query: changeParameters,
    responses: { 200: v.object({}), ...failureResponses },
  },
})
