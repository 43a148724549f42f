import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { SelectField, TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { useChosenVolume, VolumeField } from '../volume-field.tsx'
import { waitForJob, waitQuery } from '../wait-for-job.ts'
import { isLimitError, LimitFields, limitsBody, noLimits } from './limit-fields.tsx'

const types = [
  { value: 'tree', label: 'Tree: a whole qtree' },
  { value: 'user', label: 'User: the files of a user' },
  { value: 'group', label: 'Group: the files of a group' },
] as const

type RuleType = (typeof types)[number]['value']

export function CreateRule({ onClose }: { readonly onClose: () => void }) {
  const storage = useStorage()
  const [type, setType] = useState<RuleType>('tree')
  const [names, setNames] = useState('')
  const [qtree, setQtree] = useState('')
  const [limits, setLimits] = useState(noLimits)
  const [chosen, setChosen] = useState('')
  const volume = useChosenVolume(chosen)
  const create = useAction(
    async () => {
      const body = {
        svm: { uuid: volume?.svm?.uuid ?? '' },
        volume: { uuid: volume?.uuid ?? '' },
        type,
        ...principalsOf(type, names),
        qtree: { name: qtree },
        ...limitsBody(limits),
      }
      await waitForJob(storage, await expectOk(storage.createQuotaRule({ query: waitQuery, body })))
    },
    { done: 'The rule is created.', quiet: true },
  )
  return (
    <FormDialog
      title="New quota rule"
      onClose={onClose}
      className="storage-form"
      submitLabel="Create rule"
      onSubmit={() => create.mutate(undefined, { onSuccess: onClose })}
      busy={create.isPending || volume === undefined}
      error={isLimitError(create.error) ? null : create.error}
    >
      <SelectField label="Type" value={type} onChange={setType} options={types} />
      <VolumeField value={chosen} onChange={setChosen} />
      {type !== 'tree' && (
        <TextField
          label={type === 'user' ? 'Users' : 'Group'}
          hint={
            type === 'user'
              ? 'Names or ids. Several, with commas, share the limits. Empty: every user without their own rule.'
              : 'A name or an id. Empty: every group without its own rule.'
          }
          value={names}
          onChange={setNames}
        />
      )}
      <TextField
        label="Qtree"
        hint={type === 'tree' ? 'Empty: every qtree without its own rule' : 'Empty: the volume without its qtrees'}
        value={qtree}
        onChange={setQtree}
      />
      <LimitFields values={limits} onChange={setLimits} error={create.error} />
    </FormDialog>
  )
}

/** Converts the names of the form. A default rule has an empty user or group. */
function principalsOf(type: RuleType, names: string) {
  const principals = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => (/^\d+$/.test(name) ? { id: name } : { name }))
  if (type === 'user') return { users: principals.length === 0 ? [{ name: '' }] : principals }
  return type === 'group' ? { group: principals[0] ?? { name: '' } } : {}
}
