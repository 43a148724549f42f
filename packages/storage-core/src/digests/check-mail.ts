import { checkRange } from '../check-range.ts'
import type { MailOptions } from '../storage-options.ts'

const MAXIMUM_RECIPIENTS = 100
const ADDRESS = /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,189}$/

/**
 * Checks the options of e-mail. An address with a line break or a comma could name further recipients.
 *
 * @throws TypeError for addresses that cannot be used, RangeError for too many, and for a wrong `digestMinutes`
 */
export function checkMail(mail: MailOptions | undefined): void {
  if (!mail) return
  const { recipients, digestMinutes = 15 } = mail
  checkRange({ digestMinutes }, 0, 1440)
  if (recipients.length > MAXIMUM_RECIPIENTS) {
    throw new RangeError(
      `'mail.recipients' must have at most ${MAXIMUM_RECIPIENTS} recipients, not ${recipients.length}`,
    )
  }
  const addresses = new Set<string>()
  for (const { to } of recipients) {
    if (!ADDRESS.test(to)) throw new TypeError(`'mail.recipients' has an address that cannot be used: "${to}"`)
    if (addresses.has(to)) throw new TypeError(`'mail.recipients' has "${to}" twice`)
    addresses.add(to)
  }
}
