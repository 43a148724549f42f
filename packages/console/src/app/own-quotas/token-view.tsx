import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNote, errorMessage } from '../components/error-note.tsx'
import { CheckField, TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { View } from '../shell/view.tsx'
import { noUser } from './no-user.ts'
import { readOwnQuotas } from './read-own-quotas.ts'
import type { AcceptedToken } from './use-own-quotas.ts'

export interface TokenViewProps {
  /** Where the storage service is. */
  readonly place: string
  /** Why the user is asked again; `undefined` at the first time. */
  readonly reason: string | undefined
  readonly onAccept: (accepted: AcceptedToken) => void
}

const PREFIX = 'tself_'

/** Whether it can be a token. Anything else can be the secret of another service, which is not sent. */
const isToken = (text: string): boolean => text.startsWith(PREFIX) && /^[\x21-\x7e]{1,250}$/.test(text)

/** Asks for a token, and shows why the server refuses it. */
export function TokenView({ place, reason, onAccept }: TokenViewProps) {
  const [text, setText] = useState('')
  const [isKept, setKept] = useState(false)
  const attempt = useMutation({
    mutationFn: async (entered: string) => {
      const token = entered.trim()
      if (!isToken(token)) throw new Error(`A token begins with "${PREFIX}", and has neither spaces nor accents.`)
      return { token, quotas: await readOwnQuotas({ place, token }) }
    },
    onSuccess: ({ token, quotas }) => onAccept({ token, isKept, quotas }),
  })
  return (
    <View title="Your quotas">
      {reason !== undefined && !attempt.error && <ErrorNote>{reason}</ErrorNote>}
      <section className="panel" aria-label="Token">
        <Form submitLabel="Show my quotas" busy={attempt.isPending} onSubmit={() => attempt.mutate(text)}>
          <p className="quiet">
            The server does not know who you are. Enter the token that your admin has given you: it shows what you use,
            and allows nothing else.
          </p>
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            placeholder={`${PREFIX}…`}
            value={text}
            onChange={setText}
            error={attempt.error ? refusalOf(attempt.error) : undefined}
            required
          />
          <CheckField label="Keep it until this tab is closed" checked={isKept} onChange={setKept} />
        </Form>
      </section>
    </View>
  )
}

const refusalOf = (error: Error): string =>
  noUser(error) === 'refused'
    ? 'The server does not accept this token. It is not complete, has expired or is deleted.'
    : errorMessage(error)
