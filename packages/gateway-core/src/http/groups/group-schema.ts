import * as v from 'valibot'
import { usernameQuerySchema } from '../../api-keys/api-key-bounds.ts'
import { normalName, wholeTextWithin } from '../../bounds.ts'
import { groupIdSchema, MAX_LISTED_GROUPS, MAX_OWNERS } from '../../groups/group-bounds.ts'
import type { SchemaOf } from '../fields.ts'
import {
  exampleTerms,
  exampleUse,
  hasAmountForPeriod,
  reportedTermsEntries,
  reportedUseEntries,
  termsEntries,
} from '../terms/terms-schema.ts'

const name = normalName(128)

const owners = v.pipe(
  v.array(name),
  v.maxLength(MAX_OWNERS, `must have at most ${MAX_OWNERS} owners`),
  v.description('Users whose keys of the team manage its keys: their ids or their usernames. Reported are the ids.'),
)

const newTeam = v.pipe(v.strictObject({ ...termsEntries, name, owners: v.exactOptional(owners) }), hasAmountForPeriod())

export interface NewTeamSchema extends SchemaOf<typeof newTeam> {}

/** `owners` are the ids or the usernames of users whose keys of the team may issue, change and revoke its keys. */
export const newTeamSchema: NewTeamSchema = v.pipe(
  newTeam,
  v.examples([{ name: 'research', owners: ['ada'], max_budget: 500, budget_period: 'month' }]),
)

const teamChange = v.pipe(
  v.strictObject({ ...termsEntries, name: v.exactOptional(name), owners: v.exactOptional(owners) }),
  hasAmountForPeriod({ isChange: true }),
)

export interface TeamChangeSchema extends SchemaOf<typeof teamChange> {}

/** A change of a team. Absent fields are kept. `null` removes one. */
export const teamChangeSchema: TeamChangeSchema = v.pipe(teamChange, v.examples([{ rate_limit: 600 }]))

const newUser = v.pipe(v.strictObject({ ...termsEntries, username: name }), hasAmountForPeriod())

export interface NewUserSchema extends SchemaOf<typeof newUser> {}

export const newUserSchema: NewUserSchema = v.pipe(newUser, v.examples([{ username: 'ada', tokens_per_day: 1000000 }]))

const userChange = v.pipe(v.strictObject(termsEntries), hasAmountForPeriod({ isChange: true }))

export interface UserChangeSchema extends SchemaOf<typeof userChange> {}

/** A change of a user. Absent fields are kept. `null` removes one. */
export const userChangeSchema: UserChangeSchema = v.pipe(userChange, v.examples([{ max_budget: null }]))

const reported = { created_at: v.string(), rate_limit: v.nullable(v.number()), ...reportedTermsEntries }

const exampleReported = { created_at: '2026-03-01T09:00:00.000Z', rate_limit: null, ...exampleTerms }

const exampleTeam = {
  team_id: 'aa2ab505-fb5c-4f37-b30e-fe417eaf7a9f',
  name: 'research',
  owners: ['039226d6-71fd-8075-bd30-4ff61921b6b7'],
  ...exampleReported,
}

const exampleUser = { user_id: '039226d6-71fd-8075-bd30-4ff61921b6b7', username: 'ada', ...exampleReported }

const team = v.object({ team_id: v.string(), name: v.string(), owners: v.array(v.string()), ...reported })

export interface TeamSchema extends SchemaOf<typeof team> {}

export const teamSchema: TeamSchema = v.pipe(team, v.title('Team'), v.examples([exampleTeam]))

const user = v.object({ user_id: v.string(), username: v.string(), ...reported })

export interface UserSchema extends SchemaOf<typeof user> {}

export const userSchema: UserSchema = v.pipe(user, v.title('User'), v.examples([exampleUser]))

const teamState = v.object({ ...team.entries, ...reportedUseEntries })

export interface TeamStateSchema extends SchemaOf<typeof teamState> {}

/** A team with what its keys have used together. */
export const teamStateSchema: TeamStateSchema = v.pipe(
  teamState,
  v.title('TeamState'),
  v.examples([{ ...exampleTeam, ...exampleUse }]),
)

const userState = v.object({ ...user.entries, ...reportedUseEntries })

export interface UserStateSchema extends SchemaOf<typeof userState> {}

/** A user with what its keys have used together. */
export const userStateSchema: UserStateSchema = v.pipe(
  userState,
  v.title('UserState'),
  v.examples([{ ...exampleUser, ...exampleUse }]),
)

const page = {
  object: v.literal('list'),
  has_more: v.boolean(),
  /** The value of `after` for the next page. */
  last_id: v.nullable(v.string()),
}

export const teamListSchema = v.object({ ...page, data: v.array(teamSchema) })

export const userListSchema = v.object({ ...page, data: v.array(userSchema) })

export const teamParamsSchema = v.object({ team_id: groupIdSchema })

export const userParamsSchema = v.object({ user_id: groupIdSchema })

export const groupListQuerySchema = v.strictObject({
  after: v.exactOptional(groupIdSchema),
  limit: v.exactOptional(wholeTextWithin(1, MAX_LISTED_GROUPS), '100'),
})

export const userListQuerySchema = v.strictObject({
  ...groupListQuerySchema.entries,
  /** Selects the user of that name. */
  username: v.exactOptional(usernameQuerySchema),
})
