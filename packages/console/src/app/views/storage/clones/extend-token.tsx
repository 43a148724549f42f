import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { errorMessage } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { type Token, tokenName } from './read-tokens.ts'

export function ExtendToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const storage = useStorage()
  const [seconds, setSeconds] = useState('3600')
  const save = useAction(
    () =>
      expectOk(
        storage.updateCloneToken({
          params: { node_uuid: token.node?.uuid ?? '', uuid: token.uuid ?? '' },
          body: { expiry_time: { limit: seconds } },
        }),
      ),
    { done: 'The expiry is changed.', quiet: true },
  )
  return (
    <FormDialog
      title={`Expiry of token ${tokenName(token)}`}
      onClose={onClose}
      className="storage-form"
      submitLabel="Save expiry"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      busy={save.isPending}
    >
      <TextField
        label="Seconds from now"
        type="number"
        min={1}
        required
        value={seconds}
        onChange={setSeconds}
        error={save.error ? errorMessage(save.error) : undefined}
      />
    </FormDialog>
  )
}
