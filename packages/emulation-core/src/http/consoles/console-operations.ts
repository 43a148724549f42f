import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAX_COMMAND, MAX_PROMPT, timeoutSecondsBounds } from '../../consoles/command-request.ts'
import type { Emulation, Kind } from '../../index.ts'
import { describeValue } from '../errors/describe-value.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { fields, flag, line, nonEmptyLine, number } from '../requests/fields.ts'
import { placeOf } from '../requests/places.ts'

const consoleTicket = v.object({ ticket: v.string(), expires_at: v.string() })

const command = fields({
  command: line(MAX_COMMAND),
  timeout_seconds: v.optional(number(...timeoutSecondsBounds)),
  prompt: v.optional(
    v.pipe(
      nonEmptyLine(MAX_PROMPT),
      v.check(
        (text) => text.trim() !== '',
        ({ input }) => `${describeValue(input)} is blank`,
      ),
    ),
  ),
  interrupt: v.optional(flag),
})

const commandOutput = v.object({
  output: v.string(),
  prompt: v.nullable(v.string()),
  timed_out: v.boolean(),
  truncated: v.boolean(),
  closed: v.boolean(),
  duration_seconds: v.number(),
})

/** The operations of kinds with a console. */
export function consoleOperations(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  return {
    createConsoleTicket: {
      method: 'POST',
      path: `${instance}/console/ticket`,
      summary: 'Creates a ticket that opens the console over WebSocket, once and within 30 seconds',
      description:
        'For browsers, which cannot send credentials with a WebSocket. The ticket goes into the query: `…/console/ws?ticket=…`.',
      tags: [tag],
      params: inInstance,
      responses: { 201: consoleTicket, ...failureResponses },
    },
    runCommand: {
      method: 'POST',
      path: `${instance}/run`,
      summary: 'Types a command on the console, and answers its output',
      description:
        'The output ends at the prompt, which is found by pressing Enter first, or at the text in `prompt`. A 200 means that the command was typed: `timed_out`, `truncated` and `closed` are false where `output` is all of it. A 409 means that it was not typed.',
      tags: [tag],
      params: inInstance,
      body: command,
      responses: { 200: commandOutput, ...failureResponses },
    },
  } as const satisfies Contract
}

export function consoleHandlers({ consoles }: Emulation, kind: Kind): Handlers<ReturnType<typeof consoleOperations>> {
  return {
    createConsoleTicket: ({ params }) =>
      consoles
        .issueTicket({ ...params, kind })
        .match(
          ({ ticket, expiresAt }) => ({ status: 201, body: { ticket, expires_at: expiresAt.toISOString() } }) as const,
          toFailure,
        ),
    runCommand: ({ params, body, ending }) =>
      consoles
        .run(
          { ...params, kind },
          {
            command: body.command,
            prompt: body.prompt,
            timeoutSeconds: body.timeout_seconds,
            interrupt: body.interrupt,
            signal: ending,
          },
        )
        .match(
          ({ output, prompt = null, ended, truncated, durationSeconds }) =>
            ({
              status: 200,
              body: {
                output,
                prompt,
                timed_out: ended === 'timeout',
                truncated,
                closed: ended === 'closed' || ended === 'aborted',
                duration_seconds: durationSeconds,
              },
            }) as const,
          toFailure,
        ),
  }
}
