import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { InferOutput } from 'valibot'
import type { ApiKey, ApiKeyId } from '../../api-keys/api-key.ts'
import type { ApiKeyError, IssuedApiKey } from '../../api-keys/api-keys.ts'
import type { Caller } from '../../caller.ts'
import type { GroupId } from '../../groups/group.ts'
import type { GroupError } from '../../groups/groups.ts'
import { failure, unknownCursor } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { listPage } from '../list-page.ts'
import { type AmountAbsent, amountAbsent, lacksAmount } from '../terms/amount-absent.ts'
import { useToWire } from '../terms/terms-wire.ts'
import type { keyChangeSchema, newKeySchema } from './key-schema.ts'
import { issuedToWire, toChanges, toNewKey, toWire } from './key-wire.ts'
import { checkUsername, findInScope, type NotInTeam, ownTeamOf } from './team-scope.ts'

type KeyOperations = 'generateKey' | 'listKeys' | 'getKey' | 'changeKey' | 'rotateKey' | 'revokeKey'

/** Keep secrets out of caches. */
const secretHeaders = { 'cache-control': 'no-store' }

export function keyHandlers({ gateway, now }: HandlerParts): GatewayHandlers<KeyOperations> {
  const { apiKeys, budgets, groups } = gateway

  /** Returns the username of a new key: that of the user, or the one that is named. */
  const usernameOf = async ({
    username,
    user_id: userId,
  }: InferOutput<typeof newKeySchema>): Promise<Result<string, GroupError>> => {
    if (!userId) return ok(username ?? '')
    const user = await groups.find('user', userId as GroupId) // an unknown id is not found
    return user.map(({ name }) => name)
  }

  const issue = async (
    caller: Caller,
    body: InferOutput<typeof newKeySchema>,
  ): Promise<Result<IssuedApiKey, ApiKeyError | ExpiryPast | GroupError | NotInTeam | UserMismatch>> => {
    const team = ownTeamOf(caller)
    if (body.expires_at && body.expires_at <= now()) return err({ type: 'expiry-past' })
    if (team && (body.team_id ?? team.id) !== team.id) return err({ type: 'not-in-team', param: 'team_id' })
    const username = await usernameOf(body)
    if (username.isErr()) return err(username.error)
    const allowed = await checkUsername(gateway, caller, username.value)
    if (allowed.isErr()) return err(allowed.error)
    // The message has the username, which the owner of another team must not get.
    if (body.username !== undefined && body.username !== username.value) {
      return err({ type: 'user-mismatch', username: username.value })
    }
    return apiKeys.generate(toNewKey({ ...body, ...(team && { team_id: team.id }) }, username.value))
  }

  const change = async (
    caller: Caller,
    id: ApiKeyId,
    body: InferOutput<typeof keyChangeSchema>,
  ): Promise<Result<ApiKey, ApiKeyError | NotInTeam | AmountAbsent>> => {
    const found = await findInScope(apiKeys, caller, id)
    if (found.isErr()) return err(found.error)
    if (ownTeamOf(caller) && body.team_id !== undefined && body.team_id !== found.value.teamId) {
      return err({ type: 'not-in-team', param: 'team_id' })
    }
    if (lacksAmount(body, found.value.budget)) return err({ type: 'amount-absent' })
    return apiKeys.change(id, toChanges(body))
  }

  return {
    generateKey: ({ caller, body }) =>
      new ResultAsync(issue(caller, body)).match(
        (issued) => ({ status: 200, headers: secretHeaders, body: issuedToWire(issued) }),
        (error) => {
          if (error.type === 'expiry-past') return expiryPast
          return error.type === 'user-mismatch' ? userMismatch(error) : toFailure(error)
        },
      ),

    async listKeys({ caller, query: { username, team_id, after, limit } }) {
      const team = ownTeamOf(caller)?.id ?? team_id
      if (team_id !== undefined && team !== team_id) return toFailure({ type: 'not-in-team', param: 'team_id' })
      const selected = {
        ...(username === undefined ? {} : { username }),
        ...(team === undefined ? {} : { teamId: team as GroupId }), // an unknown id selects no keys
      }
      const page = await listPage(
        { limit, ...(after === undefined ? {} : { after: idOf(after) }) },
        async (piece) => ok<readonly ApiKey[], never>(await apiKeys.list({ ...selected, ...piece })),
        toWire,
      )
      if (after !== undefined && page.isOk() && page.value.data.length === 0) {
        if ((await apiKeys.find(idOf(after))).isErr()) return unknownCursor(after)
      }
      return page.match((body) => ({ status: 200, body }), toFailure)
    },

    getKey: ({ caller, params }) =>
      findInScope(apiKeys, caller, idOf(params.key_id))
        .map(async (key) => ({ ...toWire(key), ...useToWire(key.budget, await budgets.inspect(key)) }))
        .match((body) => ({ status: 200, body }), toFailure),

    changeKey: ({ caller, params, body }) =>
      new ResultAsync(change(caller, idOf(params.key_id), body)).match(
        (key) => ({ status: 200, body: toWire(key) }),
        (error) => (error.type === 'amount-absent' ? amountAbsent : toFailure(error)),
      ),

    rotateKey: ({ caller, params }) =>
      findInScope(apiKeys, caller, idOf(params.key_id))
        .andThen(({ id }) => apiKeys.rotate(id))
        .match((issued) => ({ status: 200, headers: secretHeaders, body: issuedToWire(issued) }), toFailure),

    revokeKey: ({ caller, params }) =>
      findInScope(apiKeys, caller, idOf(params.key_id))
        .andThen(({ id }) => apiKeys.revoke(id))
        .match((key) => ({ status: 200, body: toWire(key) }), toFailure),
  }
}

/** The named user has another username than the one that is named too. */
interface UserMismatch {
  readonly type: 'user-mismatch'
  readonly username: string
}

const userMismatch = ({ username }: UserMismatch) =>
  failure(400, `The user of 'user_id' has the username '${username}'. Omit 'username', or name that one.`, {
    param: 'username',
    code: 'invalid_value',
  })

interface ExpiryPast {
  readonly type: 'expiry-past'
}

const expiryPast = failure(400, "Invalid 'expires_at': must be in the future.", {
  param: 'expires_at',
  code: 'invalid_value',
})

/** Takes any text as an id, because an unknown id is not found. */
const idOf = (text: string) => text as ApiKeyId
