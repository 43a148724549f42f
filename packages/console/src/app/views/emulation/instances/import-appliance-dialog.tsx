import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, SelectField, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { formatBytes } from '../../../components/format.ts'
import { useAction } from '../../../hooks/use-action.ts'
import { type EmulationClient, useEmulation } from '../../../hooks/use-emulation.ts'
import type { Lab, Selection } from '../lab/use-lab.ts'
import { type ApplianceFile, readAppliance } from './appliance-file.ts'

export interface ImportApplianceDialogProps {
  readonly lab: Lab
  readonly onClose: () => void
  readonly onSelect: (selection: Selection) => void
}

/** Creates the machine of an appliance file, and shows which of its images the server has. */
export default function ImportApplianceDialog({ lab: { projectId }, onClose, onSelect }: ImportApplianceDialogProps) {
  const emulation = useEmulation()
  const [file, setFile] = useState<ApplianceFile>()
  const [fileError, setFileError] = useState<string>()
  const [version, setVersion] = useState('')
  const [name, setName] = useState('')
  const choose = async (chosen: File | undefined) => {
    const read = chosen && (await readAppliance(chosen))
    setFile(read)
    setFileError(chosen && !read ? 'This is not an appliance file' : undefined)
    setVersion(read?.versions[0] ?? '')
    setName(read?.name ?? '')
  }
  const create = useAction(
    async ({ content }: ApplianceFile) => {
      const query = { name, ...(version !== '' && { version }) }
      const params = { project_id: projectId }
      return expectOk(emulation.importApplianceEmu1({ params, query, body: content }))
    },
    { quiet: true },
  )
  const submit = async () => {
    const created = file && (await create.mutateAsync(file).catch(() => undefined))
    if (created) onSelect({ type: 'instance', id: created.vm_id })
  }
  if (create.data) {
    return (
      <Dialog title={`${create.data.name} was created`} onClose={onClose}>
        <RequiredImages images={create.data.images} />
        <div className="row">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Machine from an appliance" onClose={onClose}>
      <Form
        submitLabel="Create"
        onSubmit={() => void submit()}
        busy={create.isPending}
        disabled={file === undefined}
        error={create.error}
      >
        <Field label="Appliance file" hint="A .gns3a file of GNS3's registry" error={fileError}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".gns3a,.json,application/json"
              required
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          )}
        </Field>
        {file && file.versions.length > 0 && (
          <SelectField
            label="Version"
            value={version}
            onChange={setVersion}
            options={file.versions.map((each) => ({ value: each, label: each }))}
          />
        )}
        {file && <TextField label="Name" value={name} onChange={setName} required autoComplete="off" />}
      </Form>
    </Dialog>
  )
}

type Imported = Extract<Awaited<ReturnType<EmulationClient['importApplianceEmu1']>>, { readonly status: 201 }>['body']

const stateLabels = {
  ready: 'on the server',
  missing: 'missing: upload it under Disk images',
  different: 'another file has this name',
  unknown: 'the server keeps no images',
} as const

function RequiredImages({ images }: Pick<Imported, 'images'>) {
  if (images.length === 0) return <p>It needs no images.</p>
  return (
    <>
      <p>It starts from these images:</p>
      <ul>
        {images.map(({ slot, name, bytes, md5, state }) => (
          <li key={slot}>
            <strong>{name}</strong> ({stateLabels[state]})
            <div className="quiet">
              {[slot, bytes !== null && formatBytes(bytes), md5 !== null && `MD5 ${md5}`].filter(Boolean).join(', ')}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
