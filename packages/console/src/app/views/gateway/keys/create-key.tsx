import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
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
  return (
    <FormDialog
      title="New API key"
      onClose={onClose}
      className="gateway-fields"
      submitLabel="Create key"
      onSubmit={() => create.mutate(undefined, { onSuccess: onIssued })}
      busy={create.isPending}
      error={create.error}
    >
      <TextField label="User" value={username} onChange={setUsername} required />
      <KeyFields values={values} onChange={setValues} />
      <TextField label="Days until it expires" type="number" value={days} onChange={setDays} placeholder="never" />
    </FormDialog>
  )
}
