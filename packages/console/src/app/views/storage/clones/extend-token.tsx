import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { errorWords } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
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
    { done: 'The expiry is changed', quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Expiry of token ${tokenName(token)}`} onClose={onClose}>
      <form className="storage-form" onSubmit={submit}>
        <TextField
          label="Seconds from now"
          type="number"
          min={1}
          required
          value={seconds}
          onChange={setSeconds}
          error={save.error ? errorWords(save.error) : undefined}
        />
        <div className="whole">
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save expiry
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
