import { inSamePrefix } from '../../addresses/ipv6-address.ts'
import { wait } from '../../clock/wait.ts'
import type { Router } from '../network/routers.ts'
import type { CommandCall } from './command.ts'
import { setIpv6 } from './set-address.ts'

const ATTEMPTS = 3
const TIMEOUT_MS = 1000

const prefixFor = (router: Router) =>
  router.prefixes.find(
    ({ autonomous, prefixLength, validSeconds }) => autonomous && prefixLength === 64 && validSeconds > 0,
  )

/** Runs `ip auto`: forms an IPv6 address in the network that a router announces (RFC 4862). */
export async function ipAuto(call: CommandCall): Promise<void> {
  const { pc, terminal, signal } = call
  const { ipv6 } = pc.network
  let announced: Router | undefined
  const answered = new AbortController()
  const unwatch = ipv6.routers.watch((router) => {
    announced = router
    answered.abort()
  })
  try {
    for (let left = ATTEMPTS; left > 0 && announced === undefined && !signal.aborted; left -= 1) {
      ipv6.solicitRouters()
      await wait(pc.clock, TIMEOUT_MS, AbortSignal.any([signal, answered.signal]))
    }
  } finally {
    unwatch()
  }
  if (signal.aborted) return
  const prefix = announced === undefined ? undefined : prefixFor(announced)
  if (announced === undefined) return terminal.line('No router has answered')
  if (prefix === undefined) return terminal.line('The router announces no network for addresses')
  const address = ipv6.addressIn(prefix.prefix)
  const isUnchanged = ipv6.config !== undefined && inSamePrefix(ipv6.config.address, address, 128)
  const gateway = announced.expiresAt > pc.clock.now() ? { gateway: announced.address } : {}
  if (!isUnchanged || ipv6.config?.gateway !== announced.address) {
    if (!(await setIpv6({ address, prefixLength: prefix.prefixLength, ...gateway }, call))) return
  } else terminal.line('The address is up to date')
  pc.autoIpv6 = true
}
