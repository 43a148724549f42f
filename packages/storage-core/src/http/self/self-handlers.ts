import type { Handlers } from '@trivium/http-contract'
import type { OwnQuota, OwnQuotas, OwnUse } from '../../own-quotas/own-quota.ts'
import { userOfText } from '../../self-tokens/self-token.ts'
import type { CreateSelfToken } from '../../self-tokens/self-tokens.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { parseParameters, unexpectedArgument } from '../collections/parameters.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { type Failure, failure, failureBody } from '../errors/failure.ts'
import { notPermittedFailure } from '../errors/not-permitted.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { reportToWire } from '../quota-reports/report-records.ts'
import { parseChange } from '../requests/change-request.ts'
import type { selfOperations } from './self-operations.ts'
import { selfTokenPath, selfTokenSource, selfTokenToWire } from './self-token-records.ts'

export function selfHandlers({ storage }: HandlerOptions): Handlers<typeof selfOperations, Caller> {
  const { ownQuotas, selfTokens } = storage
  const source = selfTokenSource(storage)
  const find = (uuid: string, caller: Caller) =>
    selfTokens
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, toFailure({ type: 'self-token-not-found', token: uuid })))

  const quotaToWire = ({ own, sharedWith, ...report }: OwnQuota) => ({
    ...reportToWire(report, undefined, storage.now()),
    ...(own && { own: useToWire(own) }),
    ...(sharedWith && {
      shared_with: {
        num_users: sharedWith.count,
        users: sharedWith.users.map(({ user, used }) => ({
          ...user,
          ...(used && useToWire(used)),
        })),
      },
    }),
  })

  return {
    getSelfQuotas: async ({ rawQuery, caller }) => {
      const parameters = parseParameters(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const { filters, pretty } = parameters.value
      const named = new Map(filters)
      const [unexpected] = [...named.keys()].filter((name) => name !== 'user')
      if (unexpected !== undefined) return failureAnswer(caller, unexpectedArgument(unexpected))
      const asked = named.get('user')
      // The caller is the user: what others use is not theirs to read.
      if (asked !== undefined && caller.userId !== undefined) return failureAnswer(caller, notPermittedFailure)
      const user = caller.userId ?? asked
      if (user === undefined || user === '') return failureAnswer(caller, userMissing)
      const { svm, sight } = caller
      const own = await ownQuotas.of(userOfText(user), {
        ...(sight && { volumes: sight.volumes }),
        ...(svm && { svm: svm.uuid }),
      })
      const warnings = warningsOf(own).map((warning) => failureBody(warning).error)
      const body = {
        user: own.user,
        records: own.quotas.map(quotaToWire),
        num_records: own.quotas.length,
        ...(warnings.length > 0 && { warnings }),
      }
      return jsonAnswer(caller, 200, body, { headers: { 'cache-control': 'no-store' }, pretty })
    },
    listSelfTokens: (call) => listRecords(call, source),
    getSelfToken: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    createSelfToken: async ({ rawQuery, caller, body: { user, lifetime } }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      // It would show another user's quotas.
      if (caller.sight) return failureAnswer(caller, notPermittedFailure)
      const request: CreateSelfToken = {
        user: user.id === undefined ? { name: user.name ?? '' } : { id: user.id },
        ...(lifetime !== undefined && { lifetimeSeconds: lifetime }),
      }
      return selfTokens.create(request).match(
        ({ token, secret }) => {
          const record = { ...selfTokenToWire(token, caller), token: secret }
          const headers = { location: `${caller.mountPath}${selfTokenPath(token)}`, 'cache-control': 'no-store' }
          return jsonAnswer(caller, 201, { num_records: 1, records: [record] }, { headers })
        },
        (error) => failureAnswer(caller, toFailure(error)),
      )
    },
    deleteSelfToken: ({ rawQuery, caller, params: { uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() => selfTokens.delete(uuid).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (refusal) => failureAnswer(caller, refusal),
        ),
  }
}

const useToWire = ({ space, files }: OwnUse) => ({
  space: { used: { total: space } },
  ...(files !== undefined && { files: { used: { total: files } } }),
})

const userMissing = failure(
  400,
  'invalidValue',
  'An admin has no quotas: name a user by the parameter "user", such as "?user=ada" or "?user=1001".',
  'user',
)

const warningsOf = ({ unavailable, counting, isCut }: OwnQuotas): readonly Failure[] => [
  ...unavailable.map(toFailure),
  ...counting.map((volume) =>
    failure(
      503,
      'quotaStateUnavailable',
      `The owners of the files in the qtrees of volume "${volume}" are being counted. Its qtrees may be missing: ask again later.`,
      'volume',
    ),
  ),
  ...(isCut ? [failure(400, 'invalidValue', 'The user has more quotas than these.', 'records')] : []),
]
