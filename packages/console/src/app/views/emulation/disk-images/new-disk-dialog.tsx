import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { SelectField, TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'

const formats = [
  { value: 'qcow2', label: 'qcow2' },
  { value: 'raw', label: 'raw' },
  { value: 'vdi', label: 'VDI' },
  { value: 'vhdx', label: 'VHDX' },
  { value: 'vmdk', label: 'VMDK' },
  { value: 'vpc', label: 'VHD' },
] as const

export function NewDiskDialog({ onClose }: { readonly onClose: () => void }) {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [format, setFormat] = useState<(typeof formats)[number]['value']>('qcow2')
  const [megabytes, setMegabytes] = useState('8192')
  const create = useAction(
    () => expectOk(emulation.createDiskImage({ body: { name, format, size_mb: Number(megabytes) } })),
    { quiet: true, done: 'The disk was created.' },
  )
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: topicKey('emulation', 'disk-images') })
    onClose()
  }
  return (
    <FormDialog
      title="New disk"
      onClose={onClose}
      submitLabel="Create"
      onSubmit={() => create.mutate(undefined, { onSuccess })}
      busy={create.isPending}
      error={create.error}
    >
      <TextField label="Name" value={name} onChange={setName} required autoComplete="off" placeholder="data.qcow2" />
      <SelectField label="Format" value={format} onChange={setFormat} options={formats} />
      <TextField label="Size in MiB" type="number" value={megabytes} onChange={setMegabytes} min={1} required />
    </FormDialog>
  )
}
