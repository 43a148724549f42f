import { type AccessDecision, type AccessRequest, credentialsOf } from '@trivium/http-contract'
import type { Storage } from '../../create-storage.ts'
import { textOfUser } from '../../self-tokens/self-token.ts'
import { isSelfSecret } from '../../self-tokens/self-token-secret.ts'

/** The operation that the tokens of users are for, and no other. */
export const OWN_OPERATION = 'getSelfQuotas'

/**
 * Returns a decision about a Bearer token that has the form of a token of a user, and `undefined` for all else. No one
 * can guess 256 bits, so a wrong one, and one for another operation, do not count as a wrong password.
 */
export const ownCaller =
  ({ selfTokens }: Pick<Storage, 'selfTokens'>) =>
  async ({ headers, operation }: AccessRequest): Promise<AccessDecision | undefined> => {
    const credentials = credentialsOf(headers)
    if (credentials.type !== 'bearer' || !isSelfSecret(credentials.token)) return undefined
    const token = operation === OWN_OPERATION ? await selfTokens.verify(credentials.token) : undefined
    if (!token) return { refusal: { reason: 'wrong_key' } }
    return { caller: { type: 'user', id: textOfUser(token.user), scopes: [OWN_OPERATION], volumes: 'all' } }
  }
