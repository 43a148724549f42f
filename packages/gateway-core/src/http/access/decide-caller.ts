import { accessRequest, accessRule, checkAccessRules, type Exchange } from '@trivium/http-contract'
import type { Promisable } from 'type-fest'
import type { Gateway } from '../../create-gateway.ts'
import { type GatewayOperation, gatewayContract } from '../contract.ts'
import type { GatewayRoutesOptions } from '../options.ts'
import { type GatewaySocket, gatewaySockets } from '../realtime/socket-contract.ts'
import { type AccessOptions, type AccessRule, decideAccess, isAdministrative, type OwnRule } from './access.ts'
import { askHostRule } from './ask-host-rule.ts'
import { type CheckedAdmission, checkPolicies } from './check-policies.ts'
import { ownRules } from './own-rules.ts'

const operations = [...Object.keys(gatewayContract), ...Object.keys(gatewaySockets)]

/**
 * Returns the function that decides about the caller of an operation or a socket, by the host's rules and our own.
 *
 * @throws TypeError for a rule under an id that is not an operation
 */
export function decideCaller<Host>(
  { apiKeys }: Pick<Gateway, 'apiKeys'>,
  { admin = () => false, authorize }: Pick<GatewayRoutesOptions<Host>, 'admin' | 'authorize'>,
) {
  checkAccessRules(authorize, operations, ['open', 'key', 'admin'])
  const access: AccessOptions = { apiKeys, isAdmin: admin }
  return (
    exchange: Omit<Exchange<Host>, 'body' | 'closing'>,
    id: string,
    method: string,
  ): Promisable<CheckedAdmission> => {
    const own = ownRuleOf(id)
    const rule = ruleOf(authorize, id, own)
    const admission =
      typeof rule === 'function'
        ? askHostRule(rule, accessRequest(exchange, id, method), own, access)
        : decideAccess(rule, exchange, access)
    return 'then' in admission
      ? admission.then((decided) => checkPolicies(decided, id, exchange.remoteAddress))
      : checkPolicies(admission, id, exchange.remoteAddress)
  }
}

const complete: Readonly<Record<GatewayOperation | GatewaySocket, OwnRule>> = ownRules
const rules: Readonly<Record<string, OwnRule | undefined>> = complete

/** An operation without a rule needs the admin. */
export const ownRuleOf = (id: string): OwnRule => rules[id] ?? 'admin'

/**
 * Returns the rule of an operation. The word `key` under a star does not give keys the operations of the admin, which
 * create and revoke keys: their own ids have to be named.
 */
function ruleOf<Host>(
  authorize: Readonly<Record<string, AccessRule<Host> | undefined>> | undefined,
  id: string,
  own: OwnRule,
): Exclude<AccessRule<Host>, 'default'> {
  const rule = accessRule(authorize, id) ?? own
  return rule === 'key' && isAdministrative(own) && authorize?.[id] !== 'key' ? own : rule
}
