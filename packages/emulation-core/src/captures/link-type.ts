/** LINKTYPE numbers of a pcap file's header, by libpcap's names. */
const linkTypes: Readonly<Record<string, number>> = {
  DLT_EN10MB: 1,
  DLT_PPP_SERIAL: 50,
  DLT_C_HDLC: 104,
  DLT_FRELAY: 107,
}

export const linkTypeNumber = (dataLinkType: string): number | undefined =>
  Object.hasOwn(linkTypes, dataLinkType) ? linkTypes[dataLinkType] : undefined
