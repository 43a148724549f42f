import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { CheckField, TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import type { ReadyImage } from './use-disk-images.ts'

const MEGABYTE = 2 ** 20

export function ResizeDiskDialog({ image, onClose }: { readonly image: ReadyImage; readonly onClose: () => void }) {
  const { name, bytes, virtual_bytes: virtualBytes } = image
  const emulation = useEmulation()
  const queries = useQueryClient()
  const [megabytes, setMegabytes] = useState(String(Math.ceil((virtualBytes ?? bytes) / MEGABYTE)))
  const [shrink, setShrink] = useState(false)
  const resize = useAction(
    () => expectOk(emulation.resizeDiskImage({ params: { name }, body: { size_mb: Number(megabytes), shrink } })),
    { quiet: true, done: `${name} was resized.` },
  )
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: topicKey('emulation', 'disk-images') })
    onClose()
  }
  return (
    <FormDialog
      title={`Resize ${name}`}
      onClose={onClose}
      submitLabel="Resize"
      onSubmit={() => resize.mutate(undefined, { onSuccess })}
      busy={resize.isPending}
      error={resize.error}
    >
      <TextField label="Size in MiB" type="number" value={megabytes} onChange={setMegabytes} min={1} required />
      <CheckField label="Delete the end of the disk if it becomes smaller" checked={shrink} onChange={setShrink} />
    </FormDialog>
  )
}
