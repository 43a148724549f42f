import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, errorWords } from '../../../components/error-note.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { KeyFields, keyBody } from './key-fields.tsx'
import { type Key, keyName } from './use-keys.ts'

export function EditKey({ edited, onClose }: { readonly edited: Key; readonly onClose: () => void }) {
  const gateway = useGateway()
  const [values, setValues] = useState({
    name: edited.name ?? '',
    rateLimit: String(edited.rate_limit),
    tokensPerMinute: textOf(edited.tokens_per_minute),
    tokensPerDay: textOf(edited.tokens_per_day),
  })
  const save = useAction(
    () => expectOk(gateway.changeKey({ params: { key_id: edited.key_id }, body: keyBody(values) })),
    { done: 'The key is changed', quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Key ${keyName(edited)}`} onClose={onClose}>
      <form className="gateway-fields" onSubmit={submit}>
        <KeyFields values={values} onChange={setValues} />
        {save.error && (
          <div className="whole">
            <ErrorNote>{errorWords(save.error)}</ErrorNote>
          </div>
        )}
        <div className="whole">
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const textOf = (value: number | null): string => (value === null ? '' : String(value))
