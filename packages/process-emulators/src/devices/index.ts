export type { SocatDeviceCarrierOptions } from './socat-device-carrier.ts'
export { socatDeviceCarrier } from './socat-device-carrier.ts'
