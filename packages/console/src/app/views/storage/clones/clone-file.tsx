import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { CheckField, SelectField, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { formatBytes } from '../../../components/format.ts'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import { useChosenVolume, VolumeField } from '../volume-field.tsx'
import { waitForJob, waitQuery } from '../wait-for-job.ts'
import { tokenName } from './read-tokens.ts'
import { useTokens } from './use-tokens.ts'

export function CloneFile() {
  const storage = useStorage()
  const [chosen, setChosen] = useState('')
  const [source, setSource] = useState('')
  const [destination, setDestination] = useState('')
  const [token, setToken] = useState('')
  const [overwrites, setOverwrites] = useState(false)
  const [splits, setSplits] = useState(false)
  const volume = useChosenVolume(chosen)
  const tokens = (useTokens().data ?? []).filter(({ node }) => node?.uuid === volume?.node?.uuid)
  const clone = useAction(
    async () => {
      const body = {
        volume: { uuid: volume?.uuid ?? '' },
        source_path: source,
        destination_path: destination,
        ...(overwrites && { overwrite_destination: true }),
        ...(splits && { split: true }),
        // The chosen token can have expired in the meantime.
        ...(tokens.some(({ uuid }) => uuid === token) && { token_uuid: token }),
      }
      await waitForJob(storage, await expectOk(storage.createFileClone({ query: waitQuery, body })))
    },
    { done: () => `${destination} is a clone of ${source}.`, quiet: true },
  )
  return (
    <Section title="Clone a file">
      <Form
        className="storage-form"
        submitLabel="Clone"
        onSubmit={() => clone.mutate()}
        busy={clone.isPending || volume === undefined}
        error={clone.error}
      >
        <VolumeField value={chosen} onChange={setChosen} />
        <TextField label="Source path" hint="Relative to the volume" value={source} onChange={setSource} required />
        <TextField label="Destination path" value={destination} onChange={setDestination} required />
        <SelectField
          label="Token"
          hint="The split of the clone uses the reservation of this token."
          value={token}
          onChange={setToken}
          options={[
            { value: '', label: 'None' },
            ...tokens.map((one) => ({
              value: one.uuid ?? '',
              label: `${tokenName(one)}, ${formatBytes(one.reserve_size ?? 0)}`,
            })),
          ]}
        />
        <div className="whole">
          <CheckField label="Overwrite the destination" checked={overwrites} onChange={setOverwrites} />
          <CheckField
            label="Split the clone from its source"
            checked={splits || token !== ''}
            onChange={setSplits}
            disabled={token !== ''}
          />
        </div>
      </Form>
    </Section>
  )
}
