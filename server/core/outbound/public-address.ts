import { isIPv4, isIPv6 } from 'node:net'

/**
 * IPv4 blocks that are not public: IANA's special-purpose registry (2026-05), multicast, class E, and the address that
 * reaches the host of Azure machines (168.63.129.16), which looks public.
 */
const blockedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((block) => parseBlock(block, 32, ipv4Bits))

/** Only global unicast IPv6 is public, which excludes mapped, compatible, NAT64 and local addresses. */
const publicIpv6 = parseBlock('2000::/3', 128, ipv6Bits)
const blockedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (block) => parseBlock(block, 128, ipv6Bits),
)

type Block = { first: bigint; shift: bigint }

/**
 * Returns whether an address, as text without brackets or port, is on the public internet.
 * Returns false for anything other than a plain IPv4 or IPv6 address (a name, a zone id, '').
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const bits = ipv4Bits(address)
    return !blockedIpv4.some((block) => isInside(bits, block))
  }
  if (isIPv6(address) && !address.includes('%')) {
    const bits = ipv6Bits(address)
    return isInside(bits, publicIpv6) && !blockedIpv6.some((block) => isInside(bits, block))
  }
  return false
}

function isInside(bits: bigint, block: Block): boolean {
  return bits >> block.shift === block.first
}

function parseBlock(text: string, width: number, toBits: (address: string) => bigint): Block {
  const [address = '', length = ''] = text.split('/')
  const shift = BigInt(width - Number(length))
  return { first: toBits(address) >> shift, shift }
}

function ipv4Bits(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function ipv6Bits(address: string): bigint {
  const hex = address.replace(/(?<!\d)\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
    const bits = ipv4Bits(ipv4)
    return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
  })
  const [before = '', after] = hex.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n)
}
