import { type NicAddress, Refusal } from '@trivium/emulation-core/ports'

export const notConnected = (): Refusal => new Refusal('unavailable', 'The NIC is not connected.')

export const alreadyCaptured = ({ adapter, port }: NicAddress): Refusal =>
  new Refusal('unavailable', `Packet capture is already activated on ${adapter}/${port}`)
