import { SelectField } from '../../components/field.tsx'
import { useVolumes } from './use-volumes.ts'

export interface VolumeFieldProps {
  /** The id of a volume. When empty, the first volume is shown. */
  readonly value: string
  readonly onChange: (uuid: string) => void
}

export function VolumeField({ value, onChange }: VolumeFieldProps) {
  const volumes = useVolumes().data ?? []
  const options = volumes.map(({ uuid = '', name = '', svm }) => ({
    value: uuid,
    label: svm ? `${name} of ${svm.name}` : name,
  }))
  return <SelectField label="Volume" value={value || (options[0]?.value ?? '')} onChange={onChange} options={options} />
}

/** Returns the chosen volume, or the first if none is chosen. */
export function useChosenVolume(uuid: string) {
  const volumes = useVolumes().data
  return volumes?.find((volume) => volume.uuid === uuid) ?? volumes?.[0]
}
