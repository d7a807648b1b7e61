import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '168.63.129.15',
  '172.32.0.0',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
  'fd00:ec2::254',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff:fff::1',
  '4000::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('text that is not an address is never public', () => {
  for (const text of [
    '',
    'example.com',
    '127.1',
    '0x7f000001',
    '1.1.1.1:80',
    '[2606::1]',
    '01.1.1.1',
    ' 1.1.1.1',
  ]) {
    expect(isPublicAddress(text), text).toBe(false)
  }
})

test('no IPv6 address outside 2000::/3 is public, in any notation', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(
        new URL(`http://[${address}]/`).hostname.slice(1).split(':')[0] || '0',
        16,
      )
      if (first < 0x2000 || first > 0x3fff) expect(isPublicAddress(address)).toBe(false)
    }),
  )
})
