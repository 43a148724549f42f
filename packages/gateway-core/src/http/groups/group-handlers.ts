import { groupAccount } from '../../accounts/account.ts'
import { userIdOf } from '../../api-keys/api-key-secret.ts'
import type { Group, GroupId, GroupKind } from '../../groups/group.ts'
import { unknownCursor } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { ownTeamOf } from '../keys/team-scope.ts'
import { listPage, pageOf } from '../list-page.ts'
import { amountAbsent, lacksAmount } from '../terms/amount-absent.ts'
import { useToWire, type WireTerms } from '../terms/terms-wire.ts'
import type { groupContract } from './group-contract.ts'
import { idOf, teamToWire, toNewTeam, toNewUser, toTeamChanges, toTermChanges, userToWire } from './group-wire.ts'

export function groupHandlers({
  gateway: { groups, budgets },
}: HandlerParts): GatewayHandlers<keyof typeof groupContract> {
  const page = async <Wire>(
    kind: GroupKind,
    { after, limit }: { readonly after?: string; readonly limit: number },
    toWire: (group: Group) => Wire,
  ) => {
    const asked = { limit, ...(after === undefined ? {} : { after: idOf(after) }) }
    const listed = await listPage(asked, (piece) => groups.list({ kind, ...piece }), toWire)
    if (after !== undefined && listed.isOk() && listed.value.data.length === 0) {
      const last = await groups.find(kind, idOf(after))
      if (last.isErr()) return unknownCursor(after)
    }
    return listed.match((body) => ({ status: 200 as const, body }), toFailure)
  }
  const teamAnswer = (team: Group) => ({ status: 200 as const, body: teamToWire(team) })
  const userAnswer = (user: Group) => ({ status: 200 as const, body: userToWire(user) })
  const useOf = async (group: Group) => useToWire(group.budget, await budgets.inspect(groupAccount(group)))
  /** Only a period alone needs the amount that is stored. */
  const hasNoAmount = async (kind: GroupKind, id: GroupId, body: WireTerms) =>
    lacksAmount(body, {}) &&
    (await groups.find(kind, id).map((group) => lacksAmount(body, group.budget))).unwrapOr(false)

  return {
    listTeams: ({ query }) => page('team', query, teamToWire),
    createTeam: async ({ body }) => groups.create(await toNewTeam(body)).match(teamAnswer, toFailure),
    async getTeam({ caller, params }) {
      const id = idOf(params.team_id)
      const own = ownTeamOf(caller)
      if (own && own.id !== id) return toFailure({ type: 'group-not-found', kind: 'team', id })
      return groups
        .find('team', id)
        .map(async (team) => ({ ...teamToWire(team), ...(await useOf(team)) }))
        .match((body) => ({ status: 200, body }), toFailure)
    },
    changeTeam: async ({ params, body }) => {
      const id = idOf(params.team_id)
      if (await hasNoAmount('team', id, body)) return amountAbsent
      return groups.change('team', id, await toTeamChanges(body)).match(teamAnswer, toFailure)
    },
    deleteTeam: ({ params }) => groups.remove('team', idOf(params.team_id)).match(teamAnswer, toFailure),
    async listUsers({ query: { username, ...query } }) {
      if (username === undefined) return page('user', query, userToWire)
      // Users have the ids that are derived from their usernames.
      const id = idOf(await userIdOf(username))
      const data = await groups.find('user', id).match(
        (user) => [userToWire(user)],
        () => [],
      )
      return { status: 200, body: pageOf(data, false, data[0]?.user_id) }
    },
    createUser: ({ body }) => groups.create(toNewUser(body)).match(userAnswer, toFailure),
    getUser: ({ params }) =>
      groups
        .find('user', idOf(params.user_id))
        .map(async (user) => ({ ...userToWire(user), ...(await useOf(user)) }))
        .match((body) => ({ status: 200, body }), toFailure),
    changeUser: async ({ params, body }) => {
      const id = idOf(params.user_id)
      if (await hasNoAmount('user', id, body)) return amountAbsent
      return groups.change('user', id, toTermChanges(body)).match(userAnswer, toFailure)
    },
    deleteUser: ({ params }) => groups.remove('user', idOf(params.user_id)).match(userAnswer, toFailure),
  }
}
