import { expect, test } from 'vitest'
import { hostPermission, isUnencrypted, parseSiteAddress } from './site-address.ts'

test.for([
  ['videos.example.org', 'https://videos.example.org'],
  ['  https://videos.example.org/explore?q=sea#top ', 'https://videos.example.org'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['localhost:3000', 'https://localhost:3000'],
  ['HTTPS://Videos.Example.org', 'https://videos.example.org'],
] as const)('%s is the site %s', ([text, site]) => {
  expect(parseSiteAddress(text)).toBe(site)
})

test.for([
  '',
  ' ',
  'ftp://videos.example.org',
  'javascript://a',
  'https://',
  'https://a:b@c.example',
  'a b',
  'a%20b',
])('%j is not an address of a site', (text) => {
  expect(parseSiteAddress(text)).toBeNull()
})

test('the permission covers one host, without its port', () => {
  expect(hostPermission('http://localhost:3000')).toBe('http://localhost/*')
  expect(hostPermission('https://videos.example.org')).toBe('https://videos.example.org/*')
})

test('only connections that others can read are unencrypted', () => {
  expect(isUnencrypted('http://videos.example.org')).toBe(true)
  for (const site of [
    'https://videos.example.org',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:3000',
  ])
    expect(isUnencrypted(site), site).toBe(false)
})
