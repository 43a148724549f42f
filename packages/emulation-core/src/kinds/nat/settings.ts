/** A gateway to networks outside the lab, with address translation, DHCP and DNS. It has one Ethernet port. */
export type NatSettings = Readonly<Record<never, never>>
