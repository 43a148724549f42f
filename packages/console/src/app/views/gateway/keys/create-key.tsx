import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, errorWords } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useGateway } from '../../../hooks/use-gateway.ts'
import type { IssuedKey } from './issued-key.tsx'
import { KeyFields, type KeyTexts, keyBody } from './key-fields.tsx'

export interface CreateKeyProps {
  readonly onClose: () => void
  readonly onIssued: (key: IssuedKey) => void
}

const newKey: KeyTexts = { name: '', rateLimit: '10', tokensPerMinute: '', tokensPerDay: '' }

export function CreateKey({ onClose, onIssued }: CreateKeyProps) {
  const gateway = useGateway()
  const [username, setUsername] = useState('')
  const [days, setDays] = useState('')
  const [values, setValues] = useState(newKey)
  const create = useAction(
    () => {
      const expiry = days === '' ? {} : { expires_in_days: Number(days) }
      return expectOk(gateway.generateKey({ body: { username, ...keyBody(values), ...expiry } }))
    },
    { quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: onIssued })
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form className="gateway-fields" onSubmit={submit}>
        <TextField label="User" value={username} onChange={setUsername} required />
        <KeyFields values={values} onChange={setValues} />
        <TextField label="Days until it expires" type="number" value={days} onChange={setDays} placeholder="never" />
        {create.error && (
          <div className="whole">
            <ErrorNote>{errorWords(create.error)}</ErrorNote>
          </div>
        )}
        <div className="whole">
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
