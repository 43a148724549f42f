import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { KeyFields, keyBody } from './key-fields.tsx'
import { keyName } from './key-name.ts'
import type { Key } from './use-keys.ts'

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
    { done: 'The key is changed.', quiet: true },
  )
  return (
    <FormDialog
      title={`Key ${keyName(edited)}`}
      onClose={onClose}
      className="gateway-fields"
      submitLabel="Save"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      busy={save.isPending}
      error={save.error}
    >
      <KeyFields values={values} onChange={setValues} />
    </FormDialog>
  )
}

const textOf = (value: number | null): string => (value === null ? '' : String(value))
