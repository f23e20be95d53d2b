import { BlockList, isIP, isIPv6 } from 'node:net'

/** Never a receiver's: this host, private and shared networks, metadata services, documentation, benchmarks, multicast. */
const refusedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Public unicast of IPv6 alone, without ranges that embed an IPv4 address (6to4, Teredo) or are for documentation. */
const publicIpv6 = ['2000::/3']
const refusedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isRefused = listOf([...refusedIpv4, ...refusedIpv6])
const isPublicIpv6 = listOf(publicIpv6)

/** Whether a text is an address or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || isIP(address) === 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32))
}

/** Which addresses webhooks may be sent to. */
export type Allowed = {
  /** Whether the operator named this address: then plain http will do. */
  isNamed: (address: string) => boolean
  isAllowed: (address: string, isEncrypted: boolean) => boolean
}

/** @param networks that the operator allows, private or not */
export function allowing(networks: readonly string[]): Allowed {
  const isNamed = listOf(networks)
  return {
    isNamed,
    isAllowed: (address, isEncrypted) => isNamed(address) || (isEncrypted && isPublic(address)),
  }
}

function isPublic(address: string): boolean {
  if (isIP(address) === 0 || isRefused(address)) return false
  return !isIPv6(address) || isPublicIpv6(address)
}

function listOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  // An IPv4 address in the clothes of IPv6 (::ffff:10.0.0.1) is in no list of networks, and not public either.
  return (address) => {
    const family = isIP(address)
    if (family === 0 || (family === 6 && address.toLowerCase().startsWith('::')))
      return family !== 0 && address === '::1' && list.check(address, 'ipv6')
    return list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
