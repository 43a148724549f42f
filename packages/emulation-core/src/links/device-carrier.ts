import type { EthernetNio, TapNio } from './nio.ts'

/**
 * Carries frames between network devices of the host and UDP sockets of this machine. Rejects with a `Refusal` where the
 * client can get the reason: a device that does not exist, or that the host does not allow.
 */
export interface DeviceCarrier {
  /** The loopback address on which the carried devices listen. */
  readonly address: string
  /**
   * Attaches a device. Each datagram that it gets at `address` and `devicePort` is a frame for the device, and it sends
   * the frames of the device to `relayPort` of 127.0.0.1.
   */
  carry(device: TapNio | EthernetNio, ports: CarrierPorts): Promise<CarriedDevice>
  /** Detaches every device. */
  close(): Promise<void>
}

/** The pair of UDP ports between a device and the relay. */
export interface CarrierPorts {
  readonly relayPort: number
  readonly devicePort: number
}

/** A device that is attached until it is released. */
export interface CarriedDevice {
  /** Detaches the device. Later calls have no effect. Never rejects. */
  release(): Promise<void>
}
