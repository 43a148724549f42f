import { pause, type Scheduler } from '../scheduling/scheduler.ts'
import type { Mail, Mailer } from './mailer.ts'

export interface SendMailOptions {
  readonly mailer: Mailer
  readonly scheduler: Scheduler
  readonly timeoutMs: number
}

/** Sends a message. Rejects as the mailer does, and when it takes too long. */
export async function sendMail({ mailer, scheduler, timeoutMs }: SendMailOptions, mail: Mail): Promise<void> {
  const timer = new AbortController()
  const timeout = pause(scheduler, timeoutMs, timer.signal).then(() => {
    throw new Error(`The mailer did not send a message within ${timeoutMs / 1000} seconds.`)
  })
  timeout.catch(() => undefined)
  try {
    await Promise.race([mailer.send(mail), timeout])
  } finally {
    timer.abort()
  }
}
