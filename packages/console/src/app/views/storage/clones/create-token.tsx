import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { errorMessage } from '../../../components/error-note.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { useSplitLoads } from './use-split-loads.ts'

export function CreateToken() {
  const storage = useStorage()
  const nodes = (useSplitLoads().data ?? []).flatMap(({ node: { uuid, name } = {} }) =>
    uuid === undefined ? [] : [{ value: uuid, label: name ?? uuid }],
  )
  const [chosen, setChosen] = useState('')
  const [size, setSize] = useState('')
  const [seconds, setSeconds] = useState('3600')
  const node = chosen || (nodes[0]?.value ?? '')
  const create = useAction(
    () =>
      expectOk(
        storage.createCloneToken({
          body: { node: { uuid: node }, reserve_size: size, expiry_time: { limit: seconds } },
        }),
      ),
    { done: 'The load is reserved.', quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => setSize('') })
  }
  return (
    <form className="storage-filter" aria-label="New token" onSubmit={submit}>
      <SelectField label="Node" value={node} onChange={setChosen} options={nodes} />
      <TextField
        label="Size to reserve"
        placeholder="100M"
        value={size}
        onChange={setSize}
        required
        error={create.error ? errorMessage(create.error) : undefined}
      />
      <TextField
        label="Seconds until it expires"
        type="number"
        min={1}
        value={seconds}
        onChange={setSeconds}
        required
      />
      <Button type="submit" kind="primary" busy={create.isPending}>
        Reserve
      </Button>
    </form>
  )
}
