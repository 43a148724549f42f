import { StatusMark, type Tone } from '../../../components/status-mark.tsx'
import type { InstanceState } from '../kinds/instance.ts'

const tones: Readonly<Record<InstanceState, Tone>> = { started: 'good', suspended: 'warn', stopped: 'quiet' }

/** Shows the state of an instance; nothing until it is known. */
export const StateMark = ({ state }: { readonly state: InstanceState | undefined }) =>
  state === undefined ? null : <StatusMark tone={tones[state]}>{state}</StatusMark>
