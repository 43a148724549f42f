import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { errorMessage } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { useChosenVolume, VolumeField } from '../volume-field.tsx'

export function SplitFile() {
  const storage = useStorage()
  const [chosen, setChosen] = useState('')
  const [path, setPath] = useState('')
  const volume = useChosenVolume(chosen)
  const split = useAction(
    () => expectOk(storage.createSplit({ body: { volume: { uuid: volume?.uuid ?? '' }, path } })),
    {
      done: ({ num_records: made }) =>
        made > 0 ? `${path} is being split.` : `${path} shares no blocks. There is nothing to split.`,
      quiet: true,
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    split.mutate(undefined, { onSuccess: () => setPath('') })
  }
  return (
    <form className="storage-filter" aria-label="New split" onSubmit={submit}>
      <VolumeField value={chosen} onChange={setChosen} />
      <TextField
        label="Path of the file"
        value={path}
        onChange={setPath}
        required
        error={split.error ? errorMessage(split.error) : undefined}
      />
      <Button type="submit" kind="primary" busy={split.isPending || volume === undefined}>
        Split
      </Button>
    </form>
  )
}
