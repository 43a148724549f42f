import type { Call } from '@trivium/http-contract'
import type { InferOutput } from 'valibot'
import { policiesOf } from '../../accounts/account.ts'
import type { ApiKeyRefusal } from '../../api-keys/api-keys.ts'
import type { GatewayCall } from '../../caller.ts'
import type { Gateway } from '../../create-gateway.ts'
import { refusalOf } from '../../policies/policy-decisions.ts'
import { StoreFailure } from '../../store-failure.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { gatewayCredentials } from '../access/gateway-credentials.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { useToWire } from '../terms/terms-wire.ts'
import type { validationSchema } from './key-schema.ts'
import { keyFields, keyUse } from './key-wire.ts'

type Validation = InferOutput<typeof validationSchema>

const reasons: Readonly<Record<ApiKeyRefusal['type'], string>> = {
  'api-key-malformed': 'Invalid API key format',
  'api-key-unknown': 'API key not found',
  'api-key-revoked': 'API key is inactive',
  'api-key-expired': 'API key has expired',
  'api-key-disabled': 'API key is inactive',
  'api-key-team-absent': 'API key is inactive',
}

/** Validates the presented key for any caller. Always answers 200, and does not count the request. */
export const validateHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'validateKey'> => ({
  async validateKey(call) {
    try {
      const body = await validate(gateway, call)
      return { status: 200, headers: answerHeaders(call, now(), { 'cache-control': 'no-store' }), body }
    } catch (error) {
      if (!StoreFailure.is(error)) throw error
      return { status: 200, body: invalid('The API key cannot be checked because the store is unavailable.') }
    }
  },
})

async function validate(
  gateway: Gateway,
  call: GatewayCall & Pick<Call, 'rawHeaders' | 'remoteAddress'>,
): Promise<Validation> {
  const credentials = gatewayCredentials(call.rawHeaders)
  if (credentials.type === 'none') return invalid('No authorization header provided')
  if (credentials.type !== 'bearer') return invalid(reasons['api-key-malformed'])
  const checked = await gateway.apiKeys.validate(credentials.token)
  if (checked.isErr()) return invalid(reasons[checked.error.type])
  const key = checked.value
  const policies = policiesOf({ type: 'key', key })
  if (refusalOf(policies, { endpoint: undefined, address: call.remoteAddress })) {
    return invalid('API key cannot be used from this address')
  }
  const [rate, state] = await Promise.all([gateway.limits.inspect(key), gateway.budgets.inspect(key)])
  if (rate) call.rate = rate
  return {
    valid: true,
    ...keyFields(key),
    ...keyUse(key),
    remaining: rate?.remaining ?? 0,
    reset_at: rate?.resetAt.toISOString() ?? '',
    ...useToWire(key.budget, state),
    error: null,
  }
}

const invalid = (error: string): Validation => ({ valid: false, error })
