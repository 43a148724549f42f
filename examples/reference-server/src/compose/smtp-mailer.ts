import type { MailOptions } from '@trivium/storage-core'
import { createTransport } from 'nodemailer'
import type { Settings } from '../settings.ts'

/** Times out before the storage stops waiting for a message. */
const TIMEOUT_MS = 15_000

/** The recipients and the mail server of the settings, or `undefined`. */
export function mailOf({ TRIVIUM_SMTP_URL: url, TRIVIUM_MAIL_FROM: from, TRIVIUM_MAIL_TO: to }: Settings) {
  if (url === undefined || from === undefined || to === undefined) return undefined
  const { protocol, hostname, port, username, password } = new URL(url)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    // A password is never sent in the clear, except on this machine.
    requireTLS: username !== '' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    mailer: {
      send: async (mail) => {
        const { id, subject, text } = mail
        try {
          await transport.sendMail({ from, to: mail.to, subject, text, messageId: `<${id}@${domain}>` })
        } catch (error) {
          throw new Error(`A message to ${mail.to} was not sent: ${reasonOf(error)}`)
        }
      },
    },
    recipients: to.map((address) => ({ to: address })),
  } satisfies MailOptions
}

/** Answers of servers can repeat what was sent, so only their codes are reported. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the mail server failed'
  const code: unknown = Reflect.get(error, 'responseCode') ?? Reflect.get(error, 'code')
  return `the mail server failed with ${code ?? error.name}`
}
